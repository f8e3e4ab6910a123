// <button data-copies="id-of-the-field"> copies a field's text, or only selects it without access
// to the clipboard.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Selected";
  }
  document.getElementById("live").textContent = `${button.textContent}: ${field.value}`;
});
