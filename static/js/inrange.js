// <form data-in-range="id">: a field of a number that holds what it cannot says so as it is typed,
// and what was computed from the fields, under that id, is paled until all are right again: it
// still belongs to what was typed before, and nothing is asked for. A field that is not shown is
// not asked about.
const whole = (text) => Number(text).toLocaleString("en-US");

function isWrong(field) {
  const box = field.closest(".field");
  const is = !field.validity.valid;
  let said = box.querySelector(".errors");
  if (is && !said) {
    said = Object.assign(document.createElement("div"), { className: "errors" });
    said.setAttribute("role", "alert");
    box.append(said);
  }
  const range = `A whole number from ${whole(field.min)} to ${whole(field.max)}.`;
  const sentence = `${range} The figures are still for the number before.`;
  if (said) said.textContent = is ? sentence : "";
  box.toggleAttribute("data-invalid", is);
  field.setAttribute("aria-invalid", is);
  return is;
}

for (const form of document.querySelectorAll("[data-in-range]")) {
  const wrong = () => {
    const shown = [...form.querySelectorAll("input[type=number]")];
    return shown.filter((field) => field.checkVisibility()).filter(isWrong).length > 0;
  };
  const look = () => {
    document.getElementById(form.dataset.inRange)?.toggleAttribute("data-stale", wrong());
  };
  form.addEventListener("input", look);
  form.addEventListener("htmx:confirm", (event) => wrong() && event.preventDefault());
  document.addEventListener("htmx:afterSettle", look); // of what was asked for before
}
