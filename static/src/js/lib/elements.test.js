// Every element of the page has methods of its own, and a property that borrows one of their names is a function until
// it is set: `this.before ??= …` never is.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const here = new URL("../elements/", import.meta.url);
const methods = ["before", "after", "append", "prepend", "remove", "replaceWith", "replaceChildren", "closest", "matches", "contains", "animate", "click", "blur", "scroll"];
const asValue = new RegExp(`\\bthis\\.(?:${methods.join("|")})\\b(?!\\s*\\()`, "g");

for (const name of readdirSync(here)) {
  test(`${name} keeps nothing under the name of a method every element has`, () => {
    assert.deepEqual(readFileSync(new URL(name, here), "utf8").match(asValue), null);
  });
}
