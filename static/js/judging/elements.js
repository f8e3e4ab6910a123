// Elements made by scripts of the judging page, and what it says to those who do not see it.
export const counted = (n) => n.toLocaleString("en-US");

// Later, as nothing is heard while a dialog closes.
export function say(sentence) {
  setTimeout(() => (document.getElementById("live").textContent = sentence), 100);
}

// What was done, in the bar. Its first word, mostly a docno, gives way where there is no room.
export function toast(sentence) {
  const place = document.querySelector(".judging-toast");
  const [first] = sentence.split(" ", 1);
  place.replaceChildren(element("span", first), element("span", sentence.slice(first.length)));
  place.hidden = false;
  say(sentence);
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
