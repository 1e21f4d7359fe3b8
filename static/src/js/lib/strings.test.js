// A key without a text would be shown as it is, and a text that no script uses is needless work for translators.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { keymap } from "./keymap.js";

const here = new URL("../", import.meta.url);
const page = readFileSync(new URL("../../../../config/translations/script_strings.py", import.meta.url), "utf8");
const sent = new Set([...page.matchAll(/^ {4}"([a-z_]+)": /gm)].map((found) => found[1]));
const sources = readdirSync(here, { recursive: true })
  .filter((name) => name.endsWith(".js") && !name.endsWith(".test.js"))
  .map((name) => readFileSync(new URL(name, here), "utf8"));

/** Keys asked for by name, and the shapes of those that are put together. */
const literals = new Set(sources.flatMap((text) => [...text.matchAll(/"([a-z]+(?:_[a-z]+)*)"/g)].map((found) => found[1])));
const direct = new Set(sources.flatMap((text) => [...text.matchAll(/\bt\(\s*"([^"]+)"/g)].map((found) => found[1])));
const shapes = [/^find_/, /^table_(row|column|header|merge|split|undo|redo|problem)/, /^keys_(page|work|choice|viewer|drawing)$/, /^draw_(polygon|box|brush)$/, /^undone_/, /^change_/, /^state_/, /^(lease_lost|closed|wrong_image|not_yours)_(title|body)$/];

test("every word the scripts ask for is sent", () => {
  for (const key of [...direct, ...keymap.map((entry) => entry.says)]) assert.ok(sent.has(key), `"${key}" is not in script_strings.py`);
});

test("every word sent is asked for", () => {
  for (const key of sent) assert.ok(literals.has(key) || shapes.some((shape) => shape.test(key)), `nothing asks for "${key}"`);
});

test("the words of every state of saving are sent", () => {
  const saving = sources.find((text) => text.includes("export function showState"));
  const states = [.../const icons = \{([^}]*)\}/.exec(saving)[1].matchAll(/(\w+):/g)].map((found) => found[1]);
  assert.ok(states.length > 10);
  for (const state of states) assert.ok(sent.has(`state_${state}`) || state === "saved", state);
});
