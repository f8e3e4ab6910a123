// On pages that judge nothing: questions and notes that a judging page could not send are sent.
import { post } from "./posting.js";
import { isJudged } from "./tabs.js";

export async function sendKept(store, user, here) {
  for (const question of await store.all("questions")) {
    const { place, client_id, about, text, refused } = question;
    if (place === here || refused) continue;
    const answer = await post(`${place}questions/`, user, { client_id, about, text, reader: user });
    if (answer.saved) await store.drop("questions", client_id);
  }
  for (const note of await store.all("notes")) {
    const { key: place, text, difficulty, remark, version } = note;
    if (version === undefined || place === here || (await isJudged(`cleverdon ${user} ${place}`))) continue;
    const answer = await post(`${place}note/`, user, { text, difficulty, remark, note_version: version, reader: user });
    if (answer.saved) await store.drop("notes", place); // else its own page says what is the matter
  }
}
