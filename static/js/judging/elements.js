// Elements of the judging page, and what it says to those who do not see it.
export const counted = (n) => n.toLocaleString("en-US");

// Later, as nothing is heard while a dialog closes.
export function say(sentence) {
  setTimeout(() => (document.getElementById("live").textContent = sentence), 100);
}

// What was done, in the bar; for a moment in the upper one, where the lower has no room.
export function toast(sentence) {
  const place = document.querySelector(".judging-toast");
  say(sentence);
  if (!place) return; // what is closed has no bar
  const [first] = sentence.split(" ", 1);
  place.replaceChildren(element("span", first), element("span", sentence.slice(first.length)));
  place.hidden = false;
  document.querySelector(".judging-moment")?.remove();
  if (!sentence) return;
  const above = place.cloneNode(true);
  above.className = "judging-moment";
  document.querySelector(".judging-progress").append(above);
  setTimeout(() => above.remove(), 5000);
}

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
