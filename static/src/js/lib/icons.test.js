// An icon a template names and the sprite lacks is an empty place on the page.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const root = new URL("../../../../", import.meta.url);
const icons = new Set(JSON.parse(readFileSync(new URL("static/src/icons.json", root), "utf8")));

function named(folder, ending, pattern) {
  return readdirSync(new URL(folder, root), { recursive: true })
    .filter((name) => name.endsWith(ending) && !name.endsWith(".test.js"))
    .flatMap((name) => [...readFileSync(new URL(folder + name, root), "utf8").matchAll(pattern)].map((found) => [name, found[1]]));
}

test("every icon that templates name is in the sprite", () => {
  const used = named("templates/", ".html", /(?:icon\.html" with name=|icon=)"([a-z0-9-]+)"/g);
  assert.ok(used.length > 20);
  for (const [file, name] of used) assert.ok(icons.has(name), `${file} names the icon "${name}"; add it to static/src/icons.json`);
});

test("every icon that scripts name is in the sprite", () => {
  const calls = named("static/src/js/", ".js", /\b(?:icon\(|tool\("[a-z-]+", |step\(-?1, )"([a-z0-9-]+)"/g);
  const maps = named("static/src/js/", ".js", /const icons = \{([^}]*)\}/g);
  const used = [...calls, ...maps.flatMap(([file, body]) => [...body.matchAll(/"([a-z0-9-]+)"/g)].map((found) => [file, found[1]]))];
  assert.ok(used.length > 20);
  for (const [file, name] of used) assert.ok(icons.has(name), `${file} names the icon "${name}"`);
});
