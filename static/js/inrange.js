// <form data-in-range="id">: a field of a number that holds what it cannot says so as it is typed,
// and what was computed from the fields, under that id, is paled until all are right again: it
// still belongs to what was typed before.
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
  const look = () => {
    const wrong = [...form.querySelectorAll("input[type=number]")].filter(isWrong);
    document.getElementById(form.dataset.inRange)?.toggleAttribute("data-stale", wrong.length > 0);
  };
  form.addEventListener("input", look);
  document.addEventListener("htmx:afterSettle", look); // of what was asked for before
}
