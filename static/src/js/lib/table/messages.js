// What is said of a table's shape and of the place of the caret, in the words of the page's language.
import { t } from "../strings.js";

/** One problem of layOut as a sentence that says what is wrong and what mends it. */
export function problemWords(problem) {
  return t(`table_problem_${problem.kind}`, problem);
}

/** "Row 2 of 5, column 1 of 3", and what is special about the cell. */
export function placeWords(place) {
  if (!place) return "";
  if (place.count > 1) return t("table_place_cells", place);
  const words = [t("table_place", place)];
  if (place.cell.type.name === "table_header") words.push(t("table_place_header"));
  if (place.cell.attrs.rowspan > 1 || place.cell.attrs.colspan > 1) words.push(t("table_place_spans", { rows: place.cell.attrs.rowspan, columns: place.cell.attrs.colspan }));
  return words.join(" · ");
}
