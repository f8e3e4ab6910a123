// Elements made by scripts of the judging page.
export const counted = (n) => n.toLocaleString("en-US");

export function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function button(text, press, className = "plain") {
  const made = element("button", text, className);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}
