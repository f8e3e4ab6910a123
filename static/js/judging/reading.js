// How documents are shown, as their reader chooses it: at once on this page, and kept with their account.
const root = document.getElementById("judging");
const form = document.querySelector("#reading form");

form?.addEventListener("change", async ({ target }) => {
  root.dataset[target.name.replace("reading_", "")] = target.value;
  const notice = document.getElementById("live");
  try {
    const response = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "HX-Request": "true" }, redirect: "error" });
    notice.textContent = response.ok ? "Kept with your account." : "Holds for this page only.";
  } catch {
    notice.textContent = "Holds for this page only: the server cannot be reached.";
  }
});
