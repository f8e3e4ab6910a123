// Elements with attributes, where they are known, and what a page says aloud.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function button(content, press, attributes = {}) {
  const made = element("button", { type: "button", class: "plain", ...attributes }, content);
  made.addEventListener("click", press);
  return made;
}

export const counted = (n) => n.toLocaleString("en-US");

// Later, as nothing is heard while a dialog closes.
export function say(sentence) {
  setTimeout(() => (document.getElementById("live").textContent = sentence), 100);
}
