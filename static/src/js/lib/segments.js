// Texts as people count them: lines, words, and characters that may be several code points.

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export const linesOf = (text) => text.replace(/\r\n?/g, "\n").split("\n");

export const graphemesOf = (text) => Array.from(graphemes.segment(text), (part) => part.segment);

const cjk = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;

/** Words, single Han, kana or hangul characters, and what stands between them; joined they are the text again. */
export function tokensOf(text) {
  const tokens = [];
  let word = "";
  for (const part of graphemesOf(text)) {
    if (/[\p{L}\p{N}\p{M}]/u.test(part) && !cjk.test(part)) {
      word += part;
      continue;
    }
    if (word) tokens.push(word);
    word = "";
    tokens.push(part);
  }
  if (word) tokens.push(word);
  return tokens;
}
