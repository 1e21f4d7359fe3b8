// What KaTeX says of a formula it cannot draw, in the language of the page: the faults people make often. A message
// that is none of these stays as KaTeX wrote it.
import { t } from "./strings.js";

/** @type {[RegExp, string][]} */
const faults = [
  [/^Undefined control sequence: (?<name>.*)$/s, "math_unknown"],
  [/^No such environment: (?<name>.*)$/s, "math_environment"],
  [/^Mismatch: \\begin\{(?<name>.*)\} matched by \\end\{(?<found>.*)\}$/s, "math_mismatch"],
  [/^Got function '(?<name>.*)' with no arguments/s, "math_bare"],
  [/^Expected '(?<wanted>.*)', got 'EOF'/s, "math_unclosed"],
  [/^Unexpected end of input in a macro argument/, "math_unfinished"],
  [/^Expected 'EOF', got '(?<found>.*)'/s, "math_stray"],
  [/^Expected '(?<wanted>.*)', got '(?<found>.*)'/s, "math_expected"],
  [/^Expected group (?:after|as) (?<name>.*)$/s, "math_empty"],
  [/^Double superscript/, "math_twice_raised"],
  [/^Double subscript/, "math_twice_lowered"],
];

/** The words for a message of KaTeX (without its position). */
export function mathFaultWords(message) {
  for (const [pattern, key] of faults) {
    const found = pattern.exec(message);
    if (found) return t(key, found.groups ?? {});
  }
  return message;
}
