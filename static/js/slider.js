// <input type="range" data-slides="id">: the field of that id and the slider are one control.
document.addEventListener("input", (event) => {
  const moved = event.target.closest("input");
  const other = moved?.dataset.slides
    ? document.getElementById(moved.dataset.slides)
    : document.querySelector(`[data-slides="${moved?.id}"]`);
  if (other) other.value = moved.value;
});
