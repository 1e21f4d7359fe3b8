// What stands where there is no table yet: its size to choose, or a place to paste one.
import { element, icon } from "../dom.js";
import { t } from "../strings.js";
import { emptyRows } from "./grid.js";

const number = (value, most) => Math.min(Math.max(Number.parseInt(value, 10) || 1, 1), most);

/** The panel; `begin(rows)` is called with the table chosen, `read(clipboard)` gives rows of pasted data or null. */
export function startPanel({ begin, read, words = "" }) {
  const field = (value, most, key) => element("label", { class: "table-start__size" }, element("span", {}, t(key)), element("input", { type: "number", min: 1, max: most, value, inputmode: "numeric" }));
  const rows = field(4, 100, "table_start_rows");
  const columns = field(3, 50, "table_start_columns");
  const size = (label, most) => number(label.querySelector("input").value, most);
  const make = element("button", { type: "button", class: "button", onclick: () => begin(emptyRows(size(rows, 100), size(columns, 50))) }, icon("table"), t("table_start_make"));
  const said = element("p", { class: "small table-start__said", role: "status" }, words);
  const paste = element("textarea", { class: "written", rows: 4, "aria-label": t("table_start_paste"), placeholder: t("table_start_paste_hint"), spellcheck: "false" });
  const tryRows = (found, event) => {
    if (!found) return void (said.textContent = t("table_paste_none"));
    event.preventDefault();
    begin(found);
  };
  paste.addEventListener("paste", (event) => tryRows(read(event.clipboardData), event));
  // Typed words are no table: that is said at once, so that nobody takes them for written.
  paste.addEventListener("input", () => paste.value.trim() && tryRows(/<\/table>/i.test(paste.value) ? read(paste.value) : null, new Event("input")));
  return element("div", { class: "table-start stack" }, element("p", {}, t("table_start_words")),
    element("div", { class: "row table-start__row" }, rows, columns, make), element("p", { class: "muted small" }, t("table_start_or")), paste, said);
}
