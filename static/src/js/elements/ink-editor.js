// <ink-editor id lang dir label read-only?><textarea name="text">…</textarea></ink-editor>
//
// CodeMirror over the textarea; without scripts the textarea does the work. The textarea keeps its name and is in
// step after every change, so a plain form submit carries the text. Lines keep their own direction, spelling is
// never "corrected", an input method is never interrupted, Enter only ever makes a new line.
//
// fires   ink:change {text}            after each change
//         ink:line {line, count}       when the caret comes to another line (from 1)
// methods text, setText(text), takeWhole(text), takeLine(text), goToLine(n), focus()
import { history, historyKeymap, insertNewline, redo, standardKeymap, undo } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { announce } from "../lib/dom.js";
import { confirmsWithEnter } from "../lib/input-method.js";
import { mathReadsLeftToRight } from "../lib/math-marks.js";
import { t } from "../lib/strings.js";

const look = HighlightStyle.define([
  { tag: tags.heading, class: "ink-md-heading" },
  { tag: tags.strong, class: "ink-md-strong" },
  { tag: tags.emphasis, class: "ink-md-emphasis" },
  { tag: tags.strikethrough, class: "ink-md-struck" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.url], class: "ink-md-mark" },
  { tag: tags.monospace, class: "ink-md-mono" },
]);

// Keys of search that other keyboards type with (Alt-g) or that would surprise (Mod-d) stay out.
const searchKeys = searchKeymap.filter(({ key }) => ["Mod-f", "F3", "Escape"].includes(key));

class InkEditor extends HTMLElement {
  static observedAttributes = ["read-only"];
  #view;
  #readOnly = new Compartment();
  #line = 0;

  connectedCallback() {
    if (this.#view) return;
    this.area = this.querySelector("textarea");
    if (!this.area) return;
    this.#view = new EditorView({
      parent: this,
      state: EditorState.create({ doc: this.area.value, extensions: this.#extensions() }),
    });
    // The browser may have put back an older text on reload; from here on the editor is the truth.
    this.area.hidden = true;
    this.area.value = this.text;
    this.area.addEventListener("ink:insert", this.#insert);
    this.toggleAttribute("data-ready", true);
    if (this.hasAttribute("autofocus") || this.area.autofocus) this.focus();
  }

  disconnectedCallback() {
    this.#view?.destroy();
    this.#view = undefined;
    this.area?.removeEventListener("ink:insert", this.#insert);
    if (this.area) this.area.hidden = false;
  }

  attributeChangedCallback() {
    this.#view?.dispatch({ effects: this.#readOnly.reconfigure(this.#readOnlyNow()) });
  }

  get text() {
    // Asked before it is on the page (parents connect first), it answers with the textarea's text.
    return this.#view ? this.#view.state.doc.toString() : (this.querySelector("textarea")?.value ?? "");
  }

  get isComposing() {
    return Boolean(this.#view?.composing);
  }

  /** Replaces everything as one step that undo takes back. */
  setText(text) {
    if (text === this.text) return;
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, userEvent: "input.paste", scrollIntoView: false });
  }

  takeWhole(text) {
    this.setText(text);
    this.focus();
  }

  /** Puts one line where the caret is: into an empty line, else under the caret's line. */
  takeLine(text) {
    const { state } = this.#view;
    const line = state.doc.lineAt(state.selection.main.head);
    const isEmpty = !line.text.trim();
    const insert = isEmpty ? text : `\n${text}`;
    const from = isEmpty ? line.from : line.to;
    this.#view.dispatch({ changes: { from, to: line.to, insert }, selection: { anchor: from + insert.length }, userEvent: "input.paste", scrollIntoView: true });
    this.focus();
  }

  /** Puts `text` in the place of line `number` (from 1), or at the end where there is no such line. */
  replaceLine(number, text) {
    const { doc } = this.#view.state;
    if (number > doc.lines) {
      this.#view.dispatch({ changes: { from: doc.length, insert: (doc.length ? "\n" : "") + text }, userEvent: "input.paste" });
      return;
    }
    const line = doc.line(number);
    this.#view.dispatch({ changes: { from: line.from, to: line.to, insert: text }, selection: { anchor: line.from + text.length }, userEvent: "input.paste", scrollIntoView: true });
  }

  /** Text from elsewhere on the page (a mask's mark) goes to the caret, as if it were typed. */
  #insert = (event) => {
    event.preventDefault();
    this.#view.dispatch(this.#view.state.replaceSelection(event.detail.text), { userEvent: "input.paste", scrollIntoView: true });
    this.focus();
  };

  goToLine(number) {
    const line = this.#view.state.doc.line(Math.min(Math.max(number, 1), this.#view.state.doc.lines));
    this.#view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
  }

  undo() {
    undo(this.#view);
  }

  focus() {
    (this.#view ?? this.area)?.focus();
  }

  #extensions() {
    const label = this.getAttribute("label") || this.area.labels?.[0]?.textContent.trim() || "";
    return [
      EditorView.cspNonce.of(document.querySelector("script[nonce]")?.nonce ?? ""),
      EditorState.phrases.of(searchPhrases()),
      confirmsWithEnter, history(), drawSelection(), lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
      markdown({ addKeymap: false }), mathReadsLeftToRight, syntaxHighlighting(look), search({ top: true }),
      EditorView.lineWrapping, EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({
        "aria-label": label, spellcheck: "false", autocorrect: "off", autocapitalize: "off", translate: "no", tabindex: "0",
        lang: this.getAttribute("lang") ?? this.area.lang, dir: "auto",
        ...(this.area.getAttribute("aria-describedby") ? { "aria-describedby": this.area.getAttribute("aria-describedby") } : {}),
      }),
      keymap.of([{ key: "Enter", run: insertNewline }, { key: "Mod-y", run: redo }, ...searchKeys, ...historyKeymap, ...standardKeymap]),
      this.#readOnly.of(this.#readOnlyNow()),
      EditorView.updateListener.of((update) => this.#changed(update)),
    ];
  }

  #readOnlyNow() {
    const isReadOnly = this.hasAttribute("read-only") || Boolean(this.area?.readOnly);
    return [EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)];
  }

  #changed(update) {
    if (update.docChanged) {
      this.area.value = this.text;
      announce(this, "change", { text: this.text });
    }
    if (!update.docChanged && !update.selectionSet && this.#line) return;
    const { doc, selection } = update.state;
    const line = doc.lineAt(selection.main.head).number;
    if (line !== this.#line) announce(this, "line", { line, count: doc.lines });
    this.#line = line;
  }
}

function searchPhrases() {
  const words = ["Find", "Replace", "next", "previous", "all", "match case", "regexp", "by word", "replace", "replace all", "close"];
  return Object.fromEntries(words.map((word) => [word, t(`find_${word.replace(" ", "_").toLowerCase()}`)]));
}

customElements.define("ink-editor", InkEditor);
