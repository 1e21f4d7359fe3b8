// KaTeX as the whole site uses it: without trust, with bounds on size and on what macros may grow to.
import katex from "katex";

import { element } from "./dom.js";
import { mathFaultWords } from "./math-messages.js";
import { t } from "./strings.js";

const longestFormula = 5000;

/** Draws `tex` into `place`. What went wrong comes back as {words, from?, to?} (characters of tex); null for nothing. */
export function drawMath(tex, place, { isBlock = true } = {}) {
  if (tex.length > longestFormula) return { words: t("math_skipped") };
  try {
    katex.render(tex, place, {
      displayMode: isBlock, trust: false, strict: "ignore", maxSize: 10, maxExpand: 300, throwOnError: true, errorColor: "var(--bad)", output: "htmlAndMathml",
    });
    return null;
  } catch (error) {
    place.replaceChildren();
    // Also a RangeError from nesting deeper than the stack: whatever KaTeX cannot draw is shown as written.
    if (!(error instanceof katex.ParseError)) return { words: t("math_failed") };
    const from = error.position ?? null;
    return { words: mathFaultWords(error.rawMessage), ...(from === null ? {} : { from, to: from + Math.max(1, error.length ?? 1) }) };
  }
}

/** A formula as a reader sees it; what cannot be drawn stands as its source, with the reason. */
export function mathView(tex) {
  const place = element("div", { class: "math-view", dir: "ltr" });
  if (!tex.trim()) place.append(element("span", { class: "muted small" }, t("latex_empty")));
  else if (drawMath(tex, place)) place.append(element("code", {}, tex));
  return place;
}
