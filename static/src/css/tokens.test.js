// Reads tokens.css itself, so that a colour changed there without contrast fails here, in both themes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

function pairOf(name) {
  const found = new RegExp(`--${name}:\\s*light-dark\\((#[0-9a-f]{6}),\\s*(#[0-9a-f]{6})\\)`).exec(css);
  assert.ok(found, `--${name} is a light-dark() pair of two #rrggbb colours`);
  return found.slice(1);
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function holds(front, back, least) {
  const [fronts, backs] = [pairOf(front), pairOf(back)];
  for (const [at, theme] of ["light", "dark"].entries()) {
    const ratio = contrast(fronts[at], backs[at]);
    assert.ok(ratio >= least, `--${front} on --${back}, ${theme}: ${ratio.toFixed(2)} < ${least}`);
  }
}

test("contrast of black on white is 21", () => assert.equal(Math.round(contrast("#000000", "#ffffff")), 21));

test("text is readable on every ground (4.5:1)", () => {
  for (const ink of ["ink", "ink-soft", "ink-faint", "accent"])
    for (const ground of ["paper", "sheet", "sunken", "raised", "hover"]) holds(ink, ground, 4.5);
  holds("accent-ink", "accent", 4.5);
  holds("accent-ink", "accent-hover", 4.5);
  holds("accent", "accent-wash", 4.5);
  holds("ink", "accent-wash", 4.5);
});

test("words of state are readable on their wash and on paper (4.5:1)", () => {
  for (const tone of ["todo", "done", "bad", "voice-a", "voice-b", "voice-c"]) {
    holds(tone, `${tone}-wash`, 4.5);
    holds("ink", `${tone}-wash`, 4.5);
    for (const ground of ["paper", "sheet"]) holds(tone, ground, 4.5);
  }
  for (const ground of ["added", "removed"]) holds("ink", ground, 4.5);
});

test("borders of controls and focus rings are seen (3:1)", () => {
  for (const line of ["rule-strong", "focus", "todo-rule", "done-rule", "bad-rule"])
    for (const ground of ["paper", "sheet"]) holds(line, ground, 3);
});
