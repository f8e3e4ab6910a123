// <form data-uploads="address"> sends long files in pieces before the form, which then names them.
// Short ones go with the form, as all do without script.
import { button, element } from "./element.js";
import { inWords, Sending } from "./sending.js";

const SHORT = 1024 * 1024; // bytes, of all files together

class Shown {
  #bar = element("progress", { max: 1, value: 0, "aria-label": "sent" });
  #words = element("p", { class: "help" });
  #more = element("p", { class: "help", role: "status" }); // what a screen reader says
  #stop;
  /** @type {Sending} */
  sending;

  constructor(press) {
    this.#stop = button("Pause", () => this.#press());
    const inside = [this.#bar, this.#words, this.#more, this.#stop];
    press.parentElement.before(element("div", { class: "progress" }, ...inside));
  }

  #press() {
    const isPausing = this.#stop.textContent === "Pause";
    this.#stop.textContent = isPausing ? "Go on" : "Pause";
    if (isPausing) this.sending.pause();
    else this.sending.goOn();
  }

  hear(name, told) {
    this.#bar.value = told.size ? told.n / told.size : 1;
    const isStill = told.isPaused || told.waits;
    this.#words.textContent = isStill ? name : `${name}: ${inWords(told)}`;
    const still = isStill ? inWords(told) : "";
    if (this.#more.textContent !== still) this.#more.textContent = still;
  }

  end(sentence) {
    this.#stop.remove();
    this.#more.textContent = sentence;
    this.#more.toggleAttribute("data-warns", true);
  }

  remove() { this.#bar.parentElement.remove(); }
}

async function send(form, input, shown) {
  const how = { address: form.dataset.uploads, token: form.elements.csrfmiddlewaretoken.value };
  const keys = [];
  for (const file of input.files) {
    const hear = (told) => shown.hear(file.name, told);
    shown.sending = new Sending(file, { ...how, hear });
    keys.push(await shown.sending.whole());
  }
  return keys;
}

async function upload(form, input, press) {
  const shown = new Shown(press);
  press.disabled = input.disabled = true;
  try {
    const keys = await send(form, input, shown);
    const named = { type: "hidden", name: "upload" };
    form.append(...keys.map((value) => element("input", { ...named, value })));
    form.submit();
  } catch (error) {
    shown.end(error.sentence ?? String(error));
    press.disabled = input.disabled = false;
    input.addEventListener("change", () => shown.remove(), { once: true });
  }
}

for (const form of document.querySelectorAll("form[data-uploads]")) {
  const input = form.querySelector("input[type=file]");
  form.addEventListener("submit", (event) => {
    const n = [...input.files].reduce((sum, { size }) => sum + size, 0);
    if (n <= SHORT) return;
    event.preventDefault();
    form.querySelector(".progress")?.remove();
    upload(form, input, form.querySelector("button:not([type=button])"));
  });
  // Shown once more, by going back, it is as before it was sent.
  addEventListener("pageshow", () => {
    if (input.disabled) location.reload();
  });
}
