// Panels, <details data-panel="guidelines">, stay as the reader left them on this device.
// Until touched, open ones are closed where they would take the document's place.
const narrow = matchMedia("(max-width: 48rem)");
const nameOf = (panel) => `panel:${panel.dataset.panel}:${narrow.matches ? "narrow" : "wide"}`;

function place() {
  for (const panel of document.querySelectorAll("details[data-panel]:not([data-placed])")) {
    const left = localStorage.getItem(nameOf(panel));
    panel.open = left ? left === "open" : panel.open && !narrow.matches;
    panel.dataset.placed = "";
  }
}

document.addEventListener("click", (event) => {
  const panel = event.target.closest("details[data-panel] > summary")?.parentElement;
  if (panel) localStorage.setItem(nameOf(panel), panel.open ? "closed" : "open"); // the click changes it next
});

place();
