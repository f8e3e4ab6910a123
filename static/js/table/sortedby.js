// On a phone, where tables have no heads, a select follows the links by which the server sorts.
import { element } from "../element.js";
import { words } from "./rows.js";

export function sortedBy(table, heads) {
  const sorted = heads.findIndex((head) => head.hasAttribute("aria-sort"));
  const follow = (head) => head.querySelector("a.sort").click();
  const options = heads.map((head, at) => element("option", { value: at }, words(head)));
  const none = element("option", { value: "" }, "default order");
  const select = element("select", { id: `${table.id}-sorted-by` }, none, ...options);
  select.value = sorted < 0 ? "" : sorted;
  select.addEventListener("change", () => {
    if (select.value) return follow(heads[select.value]);
    // Without a sort the rows come as they come.
    const link = heads[0].querySelector("a.sort");
    const address = new URL(link.href);
    address.searchParams.delete(`${table.id}-sort`);
    link.href = address;
    return link.click();
  });
  const parts = [element("label", {}, "Sort by", select)];
  if (sorted >= 0) {
    const isDown = heads[sorted].getAttribute("aria-sort") === "descending";
    const turn = element(
      "button",
      {
        type: "button",
        class: "plain",
        id: `${table.id}-turned`,
        "aria-label": isDown ? "Lowest first" : "Highest first",
      },
      isDown ? "▾" : "▴",
    );
    turn.addEventListener("click", () => follow(heads[sorted]));
    parts.push(turn);
  }
  return element("div", { class: "sorted-by" }, ...parts);
}
