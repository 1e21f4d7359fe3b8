// Differences of two texts, for people: whole lines are paired first, then words, then characters inside
// words that resemble each other. Longest common subsequence, found from both trimmed ends.

import { graphemesOf, linesOf, tokensOf } from "./segments.js";

// A table beyond this many cells would stall the page; such a stretch is shown as replaced whole.
const maxCells = 4_000_000;

/** Runs of equal and unequal items: [{kind: "same"|"del"|"ins", items}], deletions before insertions. */
export function diffItems(before, after, areEqual = Object.is) {
  let head = 0;
  while (head < before.length && head < after.length && areEqual(before[head], after[head])) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && areEqual(before[before.length - 1 - tail], after[after.length - 1 - tail])) tail += 1;
  const runs = [];
  push(runs, "same", before.slice(0, head));
  diffMiddle(runs, before.slice(head, before.length - tail), after.slice(head, after.length - tail), areEqual);
  push(runs, "same", before.slice(before.length - tail));
  return ordered(runs);
}

function diffMiddle(runs, before, after, areEqual) {
  if (!before.length || !after.length || before.length * after.length > maxCells) {
    push(runs, "del", before);
    push(runs, "ins", after);
    return;
  }
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = areEqual(before[i], after[j])
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (areEqual(before[i], after[j])) {
      push(runs, "same", [before[i++]]);
      j += 1;
    }
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) push(runs, "del", [before[i++]]);
    else push(runs, "ins", [after[j++]]);
  }
  push(runs, "del", before.slice(i));
  push(runs, "ins", after.slice(j));
}

function push(runs, kind, items) {
  if (!items.length) return;
  if (runs.at(-1)?.kind === kind) runs.at(-1).items.push(...items);
  else runs.push({ kind, items: [...items] });
}

/** Between two equal runs, one deletion and then one insertion. */
function ordered(runs) {
  const out = [];
  let del = [];
  let ins = [];
  const settle = () => {
    push(out, "del", del);
    push(out, "ins", ins);
    del = [];
    ins = [];
  };
  for (const { kind, items } of runs) {
    if (kind === "del") del.push(...items);
    else if (kind === "ins") ins.push(...items);
    else {
      settle();
      push(out, "same", items);
    }
  }
  settle();
  return out;
}

/** Differences inside one line as [{kind, text}]. */
export function diffLine(before, after) {
  const runs = diffItems(tokensOf(before), tokensOf(after)).map(({ kind, items }) => ({ kind, text: items.join("") }));
  return merged(runs.flatMap((run, at) => refined(run, runs[at - 1], runs[at + 1])));
}

/** A replaced word that mostly stayed is marked by characters; unlike words stay marked whole. */
function refined(run, previous, next) {
  const pair = run.kind === "del" && next?.kind === "ins" ? [run.text, next.text] : null;
  if (run.kind === "ins" && previous?.kind === "del" && areAlike(previous.text, run.text)) return [];
  if (!pair || !areAlike(...pair)) return [run];
  return diffItems(graphemesOf(pair[0]), graphemesOf(pair[1])).map(({ kind, items }) => ({ kind, text: items.join("") }));
}

function areAlike(one, other) {
  const [a, b] = [graphemesOf(one), graphemesOf(other)];
  if (Math.max(a.length, b.length) > 400) return false;
  const same = diffItems(a, b).filter((run) => run.kind === "same").reduce((sum, run) => sum + run.items.length, 0);
  return (2 * same) / (a.length + b.length) >= 0.6;
}

function merged(runs) {
  const out = [];
  for (const run of runs) {
    if (!run.text) continue;
    if (out.at(-1)?.kind === run.kind) out.at(-1).text += run.text;
    else out.push({ ...run });
  }
  return out;
}

/** Share of characters two lines have in common, 0 to 1, by pairs of neighbours; cheap enough for every pair of lines. */
export function likeness(one, other) {
  if (one === other) return 1;
  const pairs = new Map();
  const [a, b] = [` ${one} `, ` ${other} `];
  for (let at = 0; at < a.length - 1; at += 1) pairs.set(a.slice(at, at + 2), (pairs.get(a.slice(at, at + 2)) ?? 0) + 1);
  let shared = 0;
  for (let at = 0; at < b.length - 1; at += 1) {
    const left = pairs.get(b.slice(at, at + 2)) ?? 0;
    if (left > 0) shared += 1;
    pairs.set(b.slice(at, at + 2), left - 1);
  }
  return (2 * shared) / (a.length + b.length - 2);
}

/** Pairs the lines of two texts in order so that the sum of likeness is greatest: [[i | null, j | null]]. */
export function pairLines(before, after) {
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  const alike = (i, j) => {
    const share = likeness(before[i], after[j]);
    return share >= 0.3 ? share + 0.01 : 0;
  };
  const shares = before.map((_, i) => after.map((__, j) => alike(i, j)));
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      best[i * width + j] = Math.max(
        best[(i + 1) * width + j], best[i * width + j + 1],
        shares[i][j] ? best[(i + 1) * width + j + 1] + shares[i][j] : 0,
      );
  return walkPairs(before.length, after.length, best, shares, width);
}

function walkPairs(rows, columns, best, shares, width) {
  const pairs = [];
  let i = 0;
  let j = 0;
  while (i < rows || j < columns) {
    const here = best[i * width + j];
    if (i < rows && j < columns && shares[i][j] && here === best[(i + 1) * width + j + 1] + shares[i][j]) pairs.push([i++, j++]);
    else if (i < rows && (j >= columns || here === best[(i + 1) * width + j])) pairs.push([i++, null]);
    else pairs.push([null, j++]);
  }
  return pairs;
}

/** Two texts line by line: [{before: number | null, after: number | null, isSame, runs}]; numbers count from 1. */
export function diffText(before, after) {
  const [a, b] = [linesOf(before), linesOf(after)];
  return pairLines(a, b).map(([i, j]) => {
    const runs = i === null ? [{ kind: "ins", text: b[j] }] : j === null ? [{ kind: "del", text: a[i] }] : diffLine(a[i], b[j]);
    return { before: i === null ? null : i + 1, after: j === null ? null : j + 1, isSame: i !== null && j !== null && a[i] === b[j], runs };
  });
}
