// How a document is read, kept with its reader's account; returns what is to be said of it.
export async function keep(form, name, value) {
  const { csrfmiddlewaretoken: token } = form.elements;
  const body = new URLSearchParams({ csrfmiddlewaretoken: token.value, [name]: value });
  const asked = { method: "POST", body, headers: { "HX-Request": "true" } };
  const response = await fetch(form.action, { redirect: "error", ...asked });
  return response.ok ? "Kept with your account." : "Holds for this page only.";
}
