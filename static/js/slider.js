// <input type="range" data-slides="id">: the field of that id and the slider are one control.
document.addEventListener("input", ({ target }) => {
  const other = target.dataset.slides
    ? document.getElementById(target.dataset.slides)
    : document.querySelector(`[data-slides="${target.id}"]`);
  if (other) other.value = target.value;
});
