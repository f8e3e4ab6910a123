// <form data-reads-tag> reads the tag of a chosen run from its first line, before anything is sent.
// The server has the last word; a compressed file is left to it. A run that replaces another keeps
// what was said of that one: `data-replaces` has what.
import { button, element } from "./element.js";

const COLUMNS = "topic Q0 docno rank score tag";
const TAG = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,19}$/;
const HEAD = 65536; // bytes

// A line that names its columns holds no digit, save in Q0.
const isHeader = (line) =>
  !/\d/.test(line.replace(/\bq0\b/i, "")) && line.trim().split(/[\s,;|]+/).length >= 5;

async function firstLines(file) {
  const bytes = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return null;
  return new TextDecoder().decode(bytes).split("\n").filter((line) => line.trim()).slice(0, 2);
}

const wrong = (said, tag = "") => ({ tag, said, isWrong: true });

// What the field of the tag should hold, if anything, and a sentence.
function read(lines) {
  if (!lines)
    return { tag: "", said: "The tag is read when the file is uploaded.", isWrong: false };
  const [line = "", second = ""] = lines;
  if (isHeader(line)) {
    const { tag, said } = read([second]);
    return wrong(`The first line is a header: remove it.${tag && ` ${said}`}`, tag);
  }
  const words = line.trim().split(/\s+/).filter(Boolean);
  const n = `${words.length} column${words.length === 1 ? "" : "s"}`;
  if (words.length !== 6) return wrong(`The first line has ${n}; a run has six: ${COLUMNS}.`);
  const [, , , , , tag] = words;
  if (TAG.test(tag)) return { tag, said: `The file's tag is ${tag}.`, isWrong: false };
  return wrong(
    "The sixth column of the first line cannot be a tag: 1 to 20 letters, digits, _ - or .",
  );
}

for (const form of document.querySelectorAll("[data-reads-tag]")) {
  const file = form.querySelector("input[type=file]");
  const tag = form.querySelector("[name=tag]");
  const told = element("output");
  const use = button("", () => {
    tag.value = filled = inFile.tag;
    say();
    tag.focus();
  }, { hidden: "" });
  const kept = element("output");
  tag.after(told, use, kept);
  const replaceable = JSON.parse(form.dataset.replaces || "[]");
  const team = form.querySelector("[name=team]");
  const sayKept = () => {
    const wanted = tag.value.trim().toLowerCase();
    const earlier = replaceable.find(
      (run) => run.tag.toLowerCase() === wanted && (!team || team.value === run.team),
    );
    const stays = earlier?.said && ` What you leave empty stays as it was: ${earlier.said}.`;
    kept.textContent = earlier ? `It replaces ${earlier.tag}.${stays}` : "";
  };
  team?.addEventListener("change", sayKept);
  let filled = "";
  let inFile = { tag: "", said: "", isWrong: false };
  const say = () => {
    const isOther = Boolean(inFile.tag && tag.value && tag.value !== inFile.tag);
    told.toggleAttribute("data-warns", inFile.isWrong || isOther);
    told.textContent = isOther ? `${inFile.said} You have typed another.` : inFile.said;
    use.hidden = !isOther;
    use.textContent = `Use ${inFile.tag}`;
    sayKept();
  };
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    inFile = read(await firstLines(file.files[0]));
    const isOurs = tag.value === "" || tag.value === filled;
    if (isOurs) tag.value = filled = inFile.tag;
    say();
  });
  tag.addEventListener("input", say);
}
