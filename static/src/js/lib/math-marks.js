// In a line of Arabic or Hebrew a formula still reads from left to right: $…$ is set apart from the line's direction.
import { Prec } from "@codemirror/state";
import { Decoration, Direction, EditorView, MatchDecorator, ViewPlugin } from "@codemirror/view";

const mark = Decoration.mark({ class: "ink-md-math", attributes: { dir: "ltr" }, bidiIsolate: Direction.LTR });
const formulas = new MatchDecorator({ regexp: /\$\$?[^$\n]+\$\$?|\\\(.+?\\\)|\\\[.+?\\\]/g, decoration: mark });

const plugin = ViewPlugin.define(
  (view) => ({
    marks: formulas.createDeco(view),
    update(update) {
      this.marks = formulas.updateDeco(update, this.marks);
    },
  }),
  {
    provide: (self) => {
      const read = (view) => view.plugin(self)?.marks ?? Decoration.none;
      // Lowest, so that these spans stand outside of those for looks and stay whole.
      return [EditorView.outerDecorations.of(read), Prec.lowest(EditorView.bidiIsolatedRanges.of(read))];
    },
  },
);

export const mathReadsLeftToRight = [plugin];
