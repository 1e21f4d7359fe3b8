// A small LaTeX editor: CodeMirror in a mono face, the place of an error underlined. An input method is never
// interrupted, Enter makes a new line, keys of the page are the page's.
import { history, historyKeymap, insertNewline, redo, standardKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, keymap } from "@codemirror/view";
import { confirmsWithEnter } from "./input-method.js";

const setFault = StateEffect.define();

const faultMark = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    const effect = change.effects.find((one) => one.is(setFault));
    if (!effect) return marks.map(change.changes);
    const { from, to } = effect.value ?? { from: 0, to: 0 };
    const end = Math.min(to ?? 0, change.state.doc.length);
    return end > from ? Decoration.set([Decoration.mark({ class: "latex-fault" }).range(from, end)]) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class LatexField {
  #isSetting = false;

  constructor({ parent, text, label, onChange }) {
    this.view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: [
      EditorView.cspNonce.of(document.querySelector("script[nonce]")?.nonce ?? ""),
      confirmsWithEnter, history(), drawSelection(), bracketMatching(), faultMark, EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocorrect: "off", autocapitalize: "off", translate: "no", dir: "ltr" }),
      keymap.of([{ key: "Enter", run: insertNewline }, { key: "Mod-y", run: redo }, ...historyKeymap, ...standardKeymap]),
      EditorView.updateListener.of((update) => update.docChanged && !this.#isSetting && onChange(this.text)),
    ] }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get hasFocus() {
    return this.view.hasFocus;
  }

  /** A change from outside: can be taken back, tells nobody. */
  set(text) {
    if (text === this.text) return;
    this.#isSetting = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.#isSetting = false;
  }

  /** Puts text at the caret, as if it were typed. */
  insert(text) {
    this.view.dispatch(this.view.state.replaceSelection(text), { userEvent: "input.paste", scrollIntoView: true });
    this.focus();
  }

  /** Underlines characters `from` to `to`; nothing takes the line away. */
  mark(fault) {
    this.view.dispatch({ effects: setFault.of(fault?.from === undefined ? null : fault) });
  }

  focus() {
    this.view.focus();
  }

  close() {
    this.view.destroy();
  }
}
