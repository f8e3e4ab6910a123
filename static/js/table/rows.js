// Rows and columns of a table, and what is chosen of it in the address, under the table's id.
export const words = (heading) =>
  heading.querySelector(".visually-hidden") ? "" : heading.textContent.trim();
// What a column is called in the address: "Uploaded (UTC)" is "Uploaded".
export const nameOf = (heading) => words(heading).replace(/ \([^()]*\)$/, "");
export const rowsOf = (table) =>
  [...(table.tBodies[0]?.rows ?? [])].filter(
    (row) => row.cells.length === table.tHead.rows[0].cells.length,
  );

export function fromAddress(table, what) {
  return new URLSearchParams(location.search).get(`${table.id}-${what}`) ?? "";
}

export function toAddress(table, what, value) {
  if (!table.id) return;
  const address = new URL(location.href);
  if (value) address.searchParams.set(`${table.id}-${what}`, value);
  else address.searchParams.delete(`${table.id}-${what}`);
  history.replaceState(history.state, "", address);
}
