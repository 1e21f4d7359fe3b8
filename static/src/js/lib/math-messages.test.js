import assert from "node:assert/strict";
import test from "node:test";

import katex from "katex";

import { mathFaultWords } from "./math-messages.js";

/** What KaTeX itself says of each: a new release that says it otherwise fails here. Without a page a word is its key. */
const broken = {
  "\\alhpa": "math_unknown", "\\begin{matrx}x\\end{matrx}": "math_environment", "\\begin{matrix}x\\end{pmatrix}": "math_mismatch", "x^\\sqrt": "math_bare",
  "{x": "math_unclosed", "\\frac{1}{x": "math_unfinished", "x}": "math_stray", "\\left(x]": "math_unclosed", "\\sqrt[3": "math_unfinished", "x^": "math_empty", "\\frac{1}": "math_unfinished", "x^2^3": "math_twice_raised", "x_2_3": "math_twice_lowered",
};

for (const [tex, key] of Object.entries(broken)) {
  test(`the fault of ${tex} has words of ours`, () => {
    let message;
    try {
      katex.renderToString(tex, { throwOnError: true });
    } catch (error) {
      message = error.rawMessage;
    }
    assert.equal(mathFaultWords(message), key, message);
  });
}

test("a rare fault stays as KaTeX says it", () => {
  assert.equal(mathFaultWords("Multiple \\tag"), "Multiple \\tag");
});
