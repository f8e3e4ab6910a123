// <fieldset data-chooser>: many checkboxes in groups, with a filter, all and none of what is shown, and a count; while none is
// chosen, the form's own button is disabled.
function startChooser(chooser) {
  const part = (name) => chooser.querySelector(`[data-chooser-${name}]`);
  const rows = [...chooser.querySelectorAll("[data-chooser-row]")];
  const groups = [...chooser.querySelectorAll("[data-chooser-group]")];
  const boxOf = (row) => row.querySelector("input[type=checkbox]");

  function count() {
    const chosen = rows.filter((row) => boxOf(row).checked).length;
    const button = chooser.form?.querySelector("button:not([type], [formaction], .plain)");
    if (button) button.disabled = !chosen;
    const hidden = rows.filter((row) => row.hidden).length;
    part("count").textContent = `${chosen} of ${rows.length} chosen${hidden ? `, ${hidden} not shown` : ""}`;
  }

  function set(some, isChecked) {
    some.forEach((row) => (boxOf(row).checked = isChecked));
    chooser.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function filter(text) {
    for (const group of groups) {
      const isTeam = group.querySelector("legend").firstChild.textContent.toLowerCase().includes(text);
      const own = rows.filter((row) => group.contains(row));
      own.forEach((row) => (row.hidden = !isTeam && !row.textContent.toLowerCase().includes(text)));
      group.hidden = own.every((row) => row.hidden);
    }
    count();
  }

  const search = part("filter");
  search.addEventListener("input", () => filter(search.value.trim().toLowerCase()));
  // What is searched for is no part of the choice.
  search.addEventListener("change", (event) => event.stopPropagation());
  search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  chooser.addEventListener("change", count);
  chooser.addEventListener("click", (event) => {
    const { chooserSet } = event.target.dataset;
    const shown = rows.filter((row) => !row.hidden);
    if (chooserSet) set(shown, chooserSet === "all");
    if ("chooserTeam" in event.target.dataset) {
      const own = shown.filter((row) => event.target.closest("[data-chooser-group]").contains(row));
      set(own, !own.every((row) => boxOf(row).checked));
    }
  });
  chooser.querySelectorAll("[data-chooser-tools], [data-chooser-team]").forEach((tool) => (tool.hidden = false));
  count();
}

document.querySelectorAll("[data-chooser]").forEach(startChooser);
