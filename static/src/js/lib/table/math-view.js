// Formulas between dollars, drawn below the text of the cell they stand in, and anywhere a table is shown.
import { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";

import { element } from "../dom.js";
import { mathRuns } from "../markdown.js";
import { drawMath } from "../math.js";
import { textOf } from "./schema.js";

/** A formula of a cell as a reader sees it; one that cannot be drawn stands as its source, with the reason. */
function mathNode(tex) {
  const place = element("span", { class: "cell-math", dir: "ltr", contenteditable: "false" });
  const problem = drawMath(tex, place, { isBlock: false });
  if (problem) place.append(element("code", { title: problem.words }, tex), element("span", { class: "math__why" }, problem.words));
  return place;
}

/** Text with its formulas drawn and its breaks, as nodes. */
export function cellView(text) {
  return text.split("\n").flatMap((line, at) => [
    ...(at ? [element("br")] : []),
    ...mathRuns(line).map((run) => (run.tex === undefined ? run.text : mathNode(run.tex))),
  ]);
}

function previewsOf(doc) {
  const found = [];
  doc.descendants((node, pos) => {
    if (node.type.name !== "words") return true;
    const formulas = textOf(node).split("\n").flatMap(mathRuns).filter((run) => run.tex !== undefined).map((run) => run.tex);
    if (formulas.length) {
      const draw = () => element("span", { class: "cell-maths", contenteditable: "false" }, ...formulas.map(mathNode));
      found.push(Decoration.widget(pos + node.nodeSize, draw, { side: -1, key: formulas.join("\n"), ignoreSelection: true }));
    }
    return false;
  });
  return DecorationSet.create(doc, found);
}

export const mathPreviews = new Plugin({
  state: {
    init: (_, state) => previewsOf(state.doc),
    apply: (tr, before) => (tr.docChanged ? previewsOf(tr.doc) : before),
  },
  props: {
    decorations(state) {
      return this.getState(state);
    },
  },
});
