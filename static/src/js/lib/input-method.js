// CodeMirror and input methods: the Enter that confirms a candidate makes no new line, in whatever order a browser
// tells of it (Safari ends the composition first).
import { Prec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { isComposing } from "./keymap.js";

export const confirmsWithEnter = Prec.highest(EditorView.domEventHandlers({
  keydown: (event) => event.key === "Enter" && isComposing(event),
}));
