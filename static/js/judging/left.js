// On every page: where a judging page of another place has left something in this browser, it is
// taken care of.
import { Store } from "./store.js";

const STORES = ["acts", "returned", "questions", "notes"];

async function look(user) {
  if (!window.indexedDB || !(await Store.exists(user))) return;
  const store = await Store.open(user);
  const here = document.querySelector("#judging:not([data-closed])")?.dataset.place;
  const isElsewhere = ({ place, key }) => !here || !(place ?? key).startsWith(here);
  for (const name of STORES) {
    if ((await store.all(name)).some(isElsewhere)) {
      await (await import("./unsent.js")).start(store, user, here);
      return;
    }
  }
}

look(document.body.dataset.user).catch(() => {}); // without a store there is nothing left
