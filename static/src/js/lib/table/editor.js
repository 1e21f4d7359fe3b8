// The grid itself: a ProseMirror view of one table. Tab goes from cell to cell and out at the ends; Escape, then Tab,
// leaves from anywhere. Enter breaks the line. An input method is never interrupted, no letter is a command.
import { baseKeymap } from "prosemirror-commands";
import { closeHistory, history, redo, undo } from "prosemirror-history";
import { keydownHandler } from "prosemirror-keymap";
import { Slice, Fragment } from "prosemirror-model";
import { EditorState, Plugin, TextSelection } from "prosemirror-state";
import { CellSelection, TableMap, goToNextCell, handlePaste, isInTable, selectionCell, tableEditing } from "prosemirror-tables";
import { Decoration, DecorationSet, EditorView } from "prosemirror-view";

import { isComposing } from "../keymap.js";
import { breakLine, commands, placeOf, selectMore } from "./commands.js";
import { readTable } from "./html.js";
import { mathPreviews } from "./math-view.js";
import { rowsOfHtml, rowsOfText, writeTabs } from "./paste.js";
import { docOf, inlineOf, rowNodes, rowsOf, textOf } from "./schema.js";

const all = { ...Object.fromEntries(Object.entries(commands).map(([name, [, command]]) => [name, command])), undo, redo };
const attribute = /\s(?:on\w+|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi;

/** An inert document. Styles and handlers are of no use here, and the page's policy would report each of them. */
const parse = (html) => new DOMParser().parseFromString(html.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(attribute, " ")), "text/html");

/** A table must keep a cell: a step that leaves none is not taken. */
const keepsCells = new Plugin({ filterTransaction: (tr) => !tr.docChanged || TableMap.get(tr.doc.firstChild).width > 0 });

/** The cell of the caret is framed, as in a spreadsheet. */
const showsPlace = new Plugin({
  props: {
    decorations(state) {
      if (state.selection instanceof CellSelection || !isInTable(state)) return null;
      const $cell = selectionCell(state);
      return DecorationSet.create(state.doc, [Decoration.node($cell.pos, $cell.pos + $cell.nodeAfter.nodeSize, { class: "is-here" })]);
    },
  },
});

/** To the end of the next cell's text: a letter typed there replaces nothing. */
const toNextCell = (step) => (state, dispatch) =>
  goToNextCell(step)(state, (tr) => dispatch(tr.setSelection(TextSelection.create(tr.doc, tr.selection.to)).scrollIntoView()));

/** Rows that a clipboard (or a plain text) holds, or null. */
export function rowsOfClipboard(data) {
  if (typeof data === "string") return rowsOfText(data, parse);
  const text = data?.getData("text/plain") ?? "";
  const html = data?.getData("text/html") ?? "";
  // A model's answer copied from a page is text in a fence; a spreadsheet's cells are HTML.
  return (/<table\b/i.test(html) && rowsOfHtml(html, parse)) || rowsOfText(text, parse);
}

/** A table's source as rows: {rows, lost, count}, or null. */
export const rowsOfSource = (html) => readTable(parse(html));

export class TableEditor {
  #isLeaving = false;

  /** `onChange(rows)` after each change of the table, `onMove()` after each move of the caret. */
  constructor({ place, rows, attributes, isEditable, onChange, onMove }) {
    this.onChange = onChange;
    this.view = new EditorView(place, {
      state: this.#stateOf(docOf(rows)), attributes, editable: isEditable,
      handleKeyDown: (view, event) => this.#key(view, event),
      handleDOMEvents: { blur: () => void (this.#isLeaving = false), click: (view, event) => this.#click(view, event), paste: (view, event) => this.#paste(view, event) },
      clipboardTextSerializer: (slice, view) => this.#copied(slice, view),
      dispatchTransaction: (tr) => {
        this.view.updateState(this.view.state.apply(tr));
        if (tr.docChanged) this.onChange(this.rows);
        onMove();
      },
    });
  }

  get rows() {
    return rowsOf(this.view.state.doc);
  }

  get place() {
    return placeOf(this.view.state);
  }

  /** Replaces the whole table as one step that undo takes back. */
  setRows(rows) {
    const { state } = this.view;
    if (docOf(rows).eq(state.doc)) return;
    this.view.dispatch(closeHistory(state.tr.replaceWith(0, state.doc.content.size, docOf(rows).content)));
  }

  /** Puts text into the cell that covers a slot (from 0), as one step; false where there is no such slot. */
  setCell(row, column, text) {
    const { state } = this.view;
    const map = TableMap.get(state.doc.firstChild);
    if (row >= map.height || column >= map.width) return false;
    const at = map.map[row * map.width + column] + 1;
    const words = state.doc.nodeAt(at).firstChild;
    this.view.dispatch(closeHistory(state.tr.replaceWith(at + 2, at + 2 + words.content.size, inlineOf(text))));
    return true;
  }

  /** Text at the caret, its line ends as breaks; where whole cells are chosen, at the end of the one chosen last. */
  insertText(text) {
    const { state } = this.view;
    const { selection } = state;
    const cell = selection instanceof CellSelection && selection.$headCell;
    const [from, to] = cell ? [cell.pos + cell.nodeAfter.nodeSize - 2, cell.pos + cell.nodeAfter.nodeSize - 2] : [selection.from, selection.to];
    const tr = state.tr.replaceWith(from, to, inlineOf(text));
    this.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, tr.mapping.map(to))).scrollIntoView());
    this.view.focus();
  }

  can(name) {
    return this.view.editable && all[name](this.view.state);
  }

  run(name) {
    all[name](this.view.state, this.view.dispatch, this.view);
    this.view.focus();
  }

  destroy() {
    this.view.destroy();
  }

  #stateOf(doc) {
    return EditorState.create({ doc, plugins: [history(), keepsCells, mathPreviews, showsPlace, tableEditing()] });
  }

  /** A click on the blank part of a cell goes to the end of its text; a browser would take the next cell. */
  #click(view, event) {
    if (!event.target.matches?.("td, th") || event.shiftKey || view.state.selection instanceof CellSelection) return false;
    const at = view.posAtDOM(event.target, 0);
    const $cell = view.state.doc.resolve(at);
    const cell = $cell.node($cell.depth);
    const end = cell.type.spec.tableRole ? $cell.end() - 1 : $cell.end();
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, end)));
    return false;
  }

  // -- keys ----------------------------------------------------------------------------------------------------

  #keys = keydownHandler({
    ...baseKeymap, Enter: breakLine, "Shift-Enter": breakLine, "Mod-Enter": () => false, "Mod-a": selectMore,
    "Mod-z": undo, "Mod-y": redo, "Shift-Mod-z": redo,
  });

  #key(view, event) {
    if (isComposing(event)) return false;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Escape" && isPlain) {
      this.#isLeaving = true;
      return true;
    }
    if (event.key === "Tab" && isPlain) return !this.#isLeaving && toNextCell(event.shiftKey ? -1 : 1)(view.state, view.dispatch);
    if (event.key !== "Shift") this.#isLeaving = false;
    return this.#keys(view, event);
  }

  // -- clipboard -----------------------------------------------------------------------------------------------

  /** Read here, before ProseMirror would build the foreign markup into nodes of this page. */
  #paste(view, event) {
    event.preventDefault();
    if (!view.editable) return true;
    const rows = rowsOfClipboard(event.clipboardData);
    if (rows?.length === 1 && rows[0].length === 1 && rows[0][0].colspan === 1) return this.#pasteText(view, rows[0][0].text);
    if (rows) return this.#pasteRows(view, event, rows);
    const text = event.clipboardData?.getData("text/plain");
    if (text) return this.#pasteText(view, text.replace(/\r\n?/g, "\n").replace(/\n+$/, ""));
    return true;
  }

  /** Into an empty grid a table comes whole, with its headers and spans; else it begins at the caret's cell. */
  #pasteRows(view, event, rows) {
    view.dispatch(closeHistory(view.state.tr));
    if (this.rows.every((cells) => cells.every((cell) => !cell.text))) {
      this.setRows(rows);
      return true;
    }
    return handlePaste(view, event, new Slice(Fragment.from(rowNodes(rows)), 1, 1)) || true;
  }

  #pasteText(view, text) {
    const { state } = view;
    if (state.selection instanceof CellSelection) this.setCell(this.place.row - 1, this.place.column - 1, text);
    else view.dispatch(state.tr.replaceWith(state.selection.from, state.selection.to, inlineOf(text)).scrollIntoView());
    return true;
  }

  #copied(slice, view) {
    if (!(view.state.selection instanceof CellSelection)) return slice.content.textBetween(0, slice.content.size, "\n", "\n");
    return writeTabs(slice.content.children.map((row) => row.children.map(textOf)));
  }
}
