// <div class="field" data-kind="file"> takes dropped files, shows the name and size of the chosen
// one, and is marked while one is over it.
function size(bytes) {
  const units = ["bytes", "KB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const form = { maximumFractionDigits: power ? 1 : 0 };
  return `${(bytes / 1024 ** power).toLocaleString(undefined, form)} ${units[power]}`;
}

const fileField = (event) => event.target.closest?.('[data-kind$="file"]');

document.addEventListener("change", (event) => {
  const field = fileField(event);
  const input = field?.querySelector("input[type=file]");
  if (!input || event.target !== input) return;
  const output = field.querySelector("output") ?? document.createElement("output");
  if (!output.isConnected) input.after(output);
  const [file] = input.files;
  output.textContent = file ? `${file.name}, ${size(file.size)}` : "";
});

document.addEventListener("dragover", (event) => {
  const field = fileField(event);
  if (!field) return;
  event.preventDefault();
  field.toggleAttribute("data-over", true);
});

for (const end of ["dragleave", "drop"]) {
  document.addEventListener(end, (event) => fileField(event)?.removeAttribute("data-over"));
}

document.addEventListener("drop", (event) => {
  const input = fileField(event)?.querySelector("input[type=file]");
  if (!input || event.target === input || !event.dataTransfer.files.length) return;
  event.preventDefault();
  input.files = event.dataTransfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
