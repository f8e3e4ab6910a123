// A key presses the element that names it: <button data-key="2">. While a dialog is open, only elements in the dialog.
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=hidden]), textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const scope = document.querySelector("dialog[open]") ?? document;
  const target = scope.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!target || (scope === document && target.closest("dialog"))) return;
  event.preventDefault();
  target.click();
});
