// <form data-reads-tag> reads the tag of a chosen run from its first line, before anything is sent. The server has the last word;
// a compressed file is left to it.
const COLUMNS = "topic Q0 docno rank score tag";
const TAG = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,19}$/;
const HEAD = 65536; // bytes

// A line that names its columns holds no digit, save in Q0.
const isHeader = (line) => !/\d/.test(line.replace(/\bq0\b/i, "")) && line.trim().split(/[\s,;|]+/).length >= 5;

async function firstLines(file) {
  const bytes = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return null;
  return new TextDecoder().decode(bytes).split("\n").filter((line) => line.trim()).slice(0, 2);
}

// Return what the field of the tag should hold, if anything, and a sentence.
function read(lines) {
  if (lines === null) return ["", "The tag is read when the file is uploaded."];
  const [line = "", second = ""] = lines;
  if (isHeader(line)) {
    const [tag, said] = read([second]);
    return [tag, `The first line is a header: remove it.${tag && ` ${said}`}`, true];
  }
  const words = line.trim().split(/\s+/).filter(Boolean);
  if (words.length !== 6) return ["", `The first line has ${words.length} column${words.length === 1 ? "" : "s"}; a run has six: ${COLUMNS}.`, true];
  if (!TAG.test(words[5])) return ["", "The sixth column of the first line cannot be a tag: 1 to 20 letters, digits, _ - or .", true];
  return [words[5], `The file's tag is ${words[5]}.`];
}

for (const form of document.querySelectorAll("[data-reads-tag]")) {
  const file = form.querySelector("input[type=file]");
  const tag = form.querySelector("[name=tag]");
  const said = tag.insertAdjacentElement("afterend", document.createElement("output"));
  const use = document.createElement("button");
  Object.assign(use, { type: "button", className: "plain", hidden: true });
  said.after(use);
  let filled = "";
  let inFile = ["", "", false];
  const say = () => {
    const [found, sentence, isWrong] = inFile;
    const isOther = Boolean(found && tag.value && tag.value !== found);
    said.toggleAttribute("data-warns", Boolean(isWrong) || isOther);
    said.textContent = isOther ? `${sentence} You have typed another.` : sentence;
    use.hidden = !isOther;
    use.textContent = `Use ${found}`;
  };
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    inFile = read(await firstLines(file.files[0]));
    const isOurs = tag.value === "" || tag.value === filled;
    if (isOurs) tag.value = filled = inFile[0];
    say();
  });
  tag.addEventListener("input", say);
  use.addEventListener("click", () => {
    tag.value = filled = inFile[0];
    say();
    tag.focus();
  });
}
