// <input type="range" data-slides="id">: the field of that id and the slider are one control.
for (const slider of document.querySelectorAll("[data-slides]")) {
  const field = document.getElementById(slider.dataset.slides);
  if (!field) continue;
  slider.hidden = false;
  slider.addEventListener("input", () => { field.value = slider.value; });
  field.addEventListener("input", () => { slider.value = field.value; });
}
