// <ink-table id lang label read-only?><textarea name="text">…HTML…</textarea></ink-table>
//
// A table as a grid over the textarea that holds its HTML; without scripts the textarea does the work. Three faces:
// the start (no table yet), the grid, the source. Each keeps the textarea in step, with an input event that bubbles;
// nothing is written before something was changed. A text set from outside comes in by an input or ink:set event on
// the textarea, `ink:insert {text}` puts text at the caret of the grid or of the source. What the grid cannot show
// (ragged rows, spans that overlap) is said in words over the source and stays as it was written until it is mended.
//
// fires   ink:change {text} after each change
// methods text, rows, setText(text), takeWhole(text), takeCell(row, column, text), undo(), focus()
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { html } from "@codemirror/lang-html";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { announce, element, icon } from "../lib/dom.js";
import { OverTextarea } from "../lib/over-textarea.js";
import { t } from "../lib/strings.js";
import { TableEditor, rowsOfClipboard, rowsOfSource } from "../lib/table/editor.js";
import { layOut, mended } from "../lib/table/grid.js";
import { spread, writeTable } from "../lib/table/html.js";
import { startPanel } from "../lib/table/start.js";
import { Toolbar } from "../lib/table/toolbar.js";
import { placeWords, problemWords } from "../lib/table/messages.js";

const look = HighlightStyle.define([{ tag: [tags.tagName, tags.angleBracket, tags.attributeName, tags.attributeValue], class: "ink-md-mark" }]);

class InkTable extends OverTextarea {
  #editor = null;
  #source = null;
  #readOnly = new Compartment();

  listen(options) {
    this.area.addEventListener("ink:insert", (event) => this.#insert(event), options);
  }

  draw() {
    this.#editor?.view.setProps({ editable: () => !this.isReadOnly });
    this.#source?.dispatch({ effects: this.#readOnly.reconfigure(EditorState.readOnly.of(this.isReadOnly)) });
    this.toolbar.update();
  }

  get text() {
    return (this.area ?? this.querySelector("textarea"))?.value ?? "";
  }

  /** The table as rows, or null where the source is none. */
  get rows() {
    return rowsOfSource(this.text)?.rows ?? null;
  }

  get isComposing() {
    return Boolean(this.#editor?.view.composing || this.#source?.composing);
  }

  setText(text) {
    if (text === this.text) return;
    const found = this.#fitting(text);
    if (this.#editor && found) this.#editor.setRows(found);
    this.#tell(text);
    this.read();
  }

  takeWhole(text) {
    this.setText(text);
  }

  /** Puts text into the cell that covers a slot (from 0); false where there is no such slot, or no grid. */
  takeCell(row, column, text) {
    if (!this.#editor) this.#face("grid");
    return this.#editor?.setCell(row, column, text) ?? false;
  }

  undo() {
    this.#editor?.run("undo");
  }

  focus() {
    (this.#editor?.view ?? this.#source ?? this.start?.querySelector("input"))?.focus();
  }

  // -- building ------------------------------------------------------------------------------------------------

  build() {
    this.sourceButton = element("button", { type: "button", class: "button button--quiet button--small", "aria-pressed": "false", onclick: () => this.#toggleSource() }, icon("code"), element("span", {}, t("table_source")));
    this.toolbar = new Toolbar({ run: (name) => this.#editor?.run(name), can: (name) => Boolean(this.#editor?.can(name)), more: [this.sourceButton] });
    this.notice = element("div", { class: "table-notice", role: "alert" });
    this.body = element("div", { class: "table-body", "data-reach": true });
    this.where = element("p", { class: "muted small table-where", role: "status" });
    this.box = element("div", { class: "table-editor" }, this.toolbar.node, this.notice, this.body, this.where);
  }

  /** Shows what the textarea holds, on the face that can. */
  read() {
    if (!this.text.trim()) this.#face("start");
    else this.#face(this.#fitting(this.text) && this.face !== "source" ? "grid" : "source");
  }

  /** The rows of a text that the grid can show without changing anything but blanks, or null. */
  #fitting(text) {
    const found = rowsOfSource(text);
    return found && !found.lost.length && found.count === 1 && !layOut(found.rows).problems.length ? found.rows : null;
  }

  #face(face) {
    const rows = this.#fitting(this.text);
    if (face === "grid" && !rows) return;
    if (face === "grid" && this.face === "grid") this.#editor.setRows(rows);
    else if (face === "source" && this.face === "source") this.#fillSource();
    else {
      this.close();
      this.face = face;
      if (face === "grid") this.#openGrid(rows);
      else if (face === "source") this.#openSource();
      else this.body.append((this.start = startPanel({ begin: (chosen) => this.#begin(chosen), read: rowsOfClipboard })));
    }
    this.box.dataset.face = face;
    this.sourceButton.setAttribute("aria-pressed", face === "source");
    this.#explain();
    this.#moved();
  }

  close() {
    this.#editor?.destroy();
    this.#source?.destroy();
    this.#editor = this.#source = this.start = null;
    this.face = undefined;
    this.body?.replaceChildren();
  }

  #openGrid(rows) {
    this.#editor = new TableEditor({
      place: this.body, rows, isEditable: () => !this.isReadOnly, onMove: () => this.#moved(),
      onChange: (changed) => this.isWriting || this.#tell(writeTable(changed)),
      attributes: {
        class: "table-grid written", "aria-label": `${this.getAttribute("label") ?? ""}. ${t("table_keys")}`, role: "textbox", "aria-multiline": "true",
        spellcheck: "false", autocorrect: "off", autocapitalize: "off", translate: "no", lang: this.getAttribute("lang") ?? "",
      },
    });
  }

  #openSource() {
    this.#source = new EditorView({
      parent: this.body,
      state: EditorState.create({
        doc: this.#shown(this.text),
        extensions: [
          EditorView.cspNonce.of(document.querySelector("script[nonce]")?.nonce ?? ""), history(), lineNumbers(), html(), syntaxHighlighting(look), EditorView.lineWrapping,
          keymap.of([...historyKeymap, ...standardKeymap]), this.#readOnly.of(EditorState.readOnly.of(this.isReadOnly)),
          EditorView.contentAttributes.of({ "aria-label": t("table_source"), spellcheck: "false", translate: "no", dir: "ltr" }),
          EditorView.updateListener.of((update) => update.docChanged && !this.isWriting && this.#tell(this.#source.state.doc.toString())),
        ],
      }),
    });
  }

  /** One long line is spread over several to be read; it is stored so only when it is changed there. */
  #shown(text) {
    return text.includes("\n") ? text : spread(text);
  }

  #fillSource() {
    const doc = this.#source.state.doc.toString();
    if (doc === this.text || doc === this.#shown(this.text)) return;
    this.quietly(() => this.#source.dispatch({ changes: { from: 0, to: doc.length, insert: this.#shown(this.text) } }));
  }

  #toggleSource() {
    if (this.face !== "source") this.#face("source");
    else if (this.text.trim()) this.#face("grid");
    else this.#face("start");
    this.focus();
  }

  #begin(rows) {
    if (this.isReadOnly) return;
    this.#tell(writeTable(mended(rows)));
    this.#face("grid");
    this.focus();
  }

  // -- changes -------------------------------------------------------------------------------------------------

  #tell(text) {
    if (text === this.area.value) return;
    this.put(text);
    announce(this, "change", { text });
    this.#explain();
  }

  #insert(event) {
    if (this.isReadOnly || !(this.#editor ?? this.#source)) return;
    event.preventDefault();
    const { text } = event.detail;
    if (this.#editor) return this.#editor.insertText(text);
    this.#source.dispatch(this.#source.state.replaceSelection(text), { scrollIntoView: true });
    this.#source.focus();
  }

  #moved() {
    this.toolbar.update();
    this.where.textContent = this.#editor ? placeWords(this.#editor.place) : "";
  }

  // -- problems ------------------------------------------------------------------------------------------------

  #explain() {
    if (this.face !== "source" || !this.text.trim()) return this.notice.replaceChildren();
    const found = rowsOfSource(this.text);
    const problems = found ? layOut(found.rows).problems.map(problemWords) : [t("table_problem_none")];
    if (found?.lost.length) problems.push(t("table_problem_lost", { names: found.lost.join(", ") }));
    if (found?.count > 1) problems.push(t("table_problem_several", { count: found.count }));
    if (!problems.length) return this.notice.replaceChildren();
    const mend = found && element("button", { type: "button", class: "button button--small", onclick: () => this.#mend(found.rows) }, icon("table"), t("table_mend"));
    this.notice.replaceChildren(element("section", { class: "notice", "data-tone": "todo" }, icon("triangle-alert"), element("div", { class: "notice__body" },
      element("p", { class: "notice__title" }, t("table_problems")), element("ul", { class: "small" }, ...problems.slice(0, 5).map((words) => element("li", {}, words))),
      mend && element("div", { class: "button-row" }, mend))));
  }

  #mend(rows) {
    if (this.isReadOnly) return;
    this.#tell(writeTable(mended(rows)));
    this.#face("grid");
    this.focus();
  }
}

customElements.define("ink-table", InkTable);
