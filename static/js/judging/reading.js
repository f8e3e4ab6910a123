// How documents are shown, as their reader chooses: at once, and kept with their account.
const root = document.getElementById("judging");
const form = document.querySelector("#reading form");
const told = document.getElementById("reading-kept");
let kept = Promise.resolve(); // one after the other, so that the last choice stays

form?.addEventListener("change", ({ target: { name, value } }) => {
  root.dataset[name.replace("reading_", "")] = value;
  kept = kept.then(() => keep(name, value));
});

document.getElementById("reading").addEventListener("toggle", ({ newState }) => {
  if (newState === "open") form.querySelector(":checked").focus();
});

async function keep(name, value) {
  const body = new URLSearchParams({ csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value, [name]: value });
  try {
    const response = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" }, redirect: "error" });
    told.textContent = response.ok ? "Kept with your account." : "Holds for this page only.";
  } catch {
    told.textContent = "Holds for this page only: the server cannot be reached.";
  }
}
