// On a phone, where tables have no heads, a select follows the links by which the server sorts.
import { button, element } from "../element.js";
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
    const label = isDown ? "Lowest first" : "Highest first";
    const said = { id: `${table.id}-turned`, "aria-label": label };
    parts.push(button(isDown ? "▾" : "▴", () => follow(heads[sorted]), said));
  }
  return element("div", { class: "sorted-by" }, ...parts);
}
