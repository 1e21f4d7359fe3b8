// Markdown with math as transcriptions use it, for reading only. Untrusted: raw HTML stays text, links go to the
// web or to mail only, images are named and not loaded. Math comes out as an empty <span data-tex>, which the
// preview fills by KaTeX; a strict policy forbids style="" in markup, so table alignment becomes classes.
import MarkdownIt from "markdown-it";

const allowedLink = /^(https?:|mailto:|#)/i;

export function makeMarkdown() {
  const md = new MarkdownIt({ html: false, linkify: false, breaks: true, typographer: false });
  md.validateLink = (url) => allowedLink.test(url.trim());
  md.inline.ruler.before("escape", "math", inlineMath);
  md.block.ruler.before("fence", "math_block", blockMath, { alt: ["paragraph", "blockquote", "list"] });
  md.renderer.rules.math = (tokens, at) => mathSpan(md, tokens[at], false);
  md.renderer.rules.math_block = (tokens, at) => `<div class="math-block">${mathSpan(md, tokens[at], true)}</div>\n`;
  md.renderer.rules.image = (tokens, at) => `<span class="faint">[${md.utils.escapeHtml(String(tokens[at].content || tokens[at].attrGet("src") || ""))}]</span>`;
  md.renderer.rules.link_open = (tokens, at, options, _env, self) => {
    tokens[at].attrSet("rel", "noopener noreferrer nofollow");
    tokens[at].attrSet("target", "_blank");
    return self.renderToken(tokens, at, options);
  };
  for (const cell of ["th_open", "td_open"]) md.renderer.rules[cell] = alignedCell;
  return md;
}

function mathSpan(md, token, isBlock) {
  return `<span class="math" data-tex="${md.utils.escapeHtml(token.content)}"${isBlock ? " data-block" : ""}></span>`;
}

function alignedCell(tokens, at, options, _env, self) {
  const style = tokens[at].attrGet("style");
  if (style) {
    tokens[at].attrs = tokens[at].attrs.filter(([name]) => name !== "style");
    tokens[at].attrJoin("class", `align-${style.split(":")[1].trim()}`);
  }
  return self.renderToken(tokens, at, options);
}

const pairs = [["$$", "$$"], ["\\(", "\\)"], ["\\[", "\\]"], ["$", "$"]];

/** $a$, $$a$$, \(a\) and \[a\] inside a line. A single dollar needs no blank inside its ends and no digit after, so
    that prices stay text. */
function inlineMath(state, silent) {
  // Once a mark has no end it has none further on either: asked once per paragraph, or long text takes quadratic time.
  state.withoutEnd ??= new Set();
  const found = mathAt(state.src, state.pos, state.posMax, state.withoutEnd);
  if (!found) return false;
  const { tex, open, close, to } = found;
  if (!silent) {
    const token = state.push("math", "math", 0);
    token.content = tex.trim();
    token.markup = open;
  }
  state.pos = to + close.length;
  return true;
}

/** The formula that begins at `at`: {tex, open, close, to (where its end mark stands)}, or null. */
function mathAt(text, at, end, withoutEnd) {
  const pair = pairs.find(([mark]) => text.startsWith(mark, at));
  if (!pair) return null;
  const [open, close] = pair;
  const from = at + open.length;
  const to = withoutEnd.has(close) ? -1 : closingAt(text, close, from, end);
  if (to < 0) withoutEnd.add(close);
  if (to <= from) return null;
  const tex = text.slice(from, to);
  if (open === "$" && (/^\s|\s$/.test(tex) || /\d/.test(text[to + 1] ?? "") || tex.includes("\n\n"))) return null;
  return { tex, open, close, to };
}

/** A line of plain text with its formulas: [{text} | {tex}]. */
export function mathRuns(line) {
  const runs = [];
  const withoutEnd = new Set();
  let from = 0;
  for (let at = 0; at < line.length; at += 1) {
    const found = line[at] === "$" || line[at] === "\\" ? mathAt(line, at, line.length, withoutEnd) : null;
    if (found) {
      if (at > from) runs.push({ text: line.slice(from, at) });
      runs.push({ tex: found.tex.trim() });
      from = found.to + found.close.length;
      at = from - 1;
    } else if (line[at] === "\\") at += 1;
  }
  if (from < line.length) runs.push({ text: line.slice(from) });
  return runs;
}

/** Where `close` stands unescaped; -1 where it does not. */
function closingAt(text, close, from, end) {
  for (let at = from; at < end; at += 1) {
    if (close.startsWith("\\") ? text.startsWith(close, at) : text[at] !== "\\" && text.startsWith(close, at)) return at;
    if (text[at] === "\\") at += 1;
  }
  return -1;
}

/** Display math that starts a line with $$ or \[ and may run over several. */
function blockMath(state, startLine, endLine, silent) {
  const first = state.src.slice(state.bMarks[startLine] + state.tShift[startLine], state.eMarks[startLine]);
  const open = ["$$", "\\["].find((mark) => first.startsWith(mark));
  if (!open) return false;
  const close = open === "$$" ? "$$" : "\\]";
  const rest = [];
  for (let line = startLine; line < endLine; line += 1) {
    const text = state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line]);
    const body = line === startLine ? text.slice(2) : text;
    const end = body.trimEnd();
    if (end.endsWith(close) && (line > startLine || end.length > 2)) {
      rest.push(end.slice(0, -2));
      if (silent) return true;
      return endBlock(state, startLine, line, rest.join("\n"));
    }
    if (body.includes(close) || (line > startLine && !text.trim())) return false;
    rest.push(body);
  }
  return false;
}

function endBlock(state, startLine, line, tex) {
  const token = state.push("math_block", "math", 0);
  token.block = true;
  token.content = tex.trim();
  token.map = [startLine, line + 1];
  state.line = line + 1;
  return true;
}
