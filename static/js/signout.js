// Signing out tells what is still unsent.
import { Store } from "./judging/store.js";

const { user } = document.body.dataset;
const KEPT = { acts: "answer", notes: "note", questions: "question" };

// In words; without what was refused, or a question still being written.
async function kept() {
  if (!window.indexedDB || !(await Store.exists(user))) return [];
  const store = await Store.open(user);
  const found = [];
  for (const [name, what] of Object.entries(KEPT)) {
    const isUnsent = ({ version, refused }) =>
      !refused && (name !== "notes" || version !== undefined);
    const n = (await store.all(name)).filter(isUnsent).length;
    if (n) found.push(`${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`);
  }
  return found;
}

document
  .querySelector('nav.you form[action*="sign-out"]')
  ?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const found = await kept().catch(() => []); // without a store there is nothing unsent
    const what = `Not saved yet: ${new Intl.ListFormat("en-GB").format(found)}.`;
    const stays = "This stays in this browser, for you alone, and is sent when you sign in here";
    const question = `${what} ${stays} again. Sign out all the same?`;
    if (!found.length || confirm(question)) event.target.submit();
  });
