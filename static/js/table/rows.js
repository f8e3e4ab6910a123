// Rows and columns of a table, and what is chosen of it in the address, under the table's id.
export const words = (heading) =>
  heading.querySelector(".visually-hidden") ? "" : heading.textContent.trim();
export const rowsOf = (table) =>
  [...(table.tBodies[0]?.rows ?? [])].filter(
    (row) => row.cells.length === table.tHead.rows[0].cells.length,
  );

export function fromAddress(table, what) {
  return new URLSearchParams(location.search).get(`${table.id}-${what}`) ?? "";
}

// What sorts a table keeps what is chosen of it and of others.
export function toAddress(table, what, value, links = "thead a, caption a") {
  if (!table.id) return;
  const changed = (address) => {
    if (value) address.searchParams.set(`${table.id}-${what}`, value);
    else address.searchParams.delete(`${table.id}-${what}`);
    return address;
  };
  history.replaceState(history.state, "", changed(new URL(location.href)));
  for (const link of document.querySelectorAll(links)) link.href = changed(new URL(link.href));
}
