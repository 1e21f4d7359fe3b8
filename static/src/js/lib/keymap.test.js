import assert from "node:assert/strict";
import test from "node:test";

import { chordOf, clashes, commandFor, isComposing, isForbidden, keymap, ownableCommands, refusalOf, withOwnKeys } from "./keymap.js";

const press = (key, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
const inText = { isEditable: true, isViewer: false, hasWork: true };
const onBody = { isEditable: false, isViewer: false, hasWork: true };
const onImage = { isEditable: false, isViewer: true, hasWork: true };

test("keymap has no clash", () => assert.deepEqual(clashes(keymap), []));

test("clashes are found when two commands share a chord", () => {
  const map = [...keymap, { command: "other", keys: ["Mod+Enter"], where: "page", says: "x" }];
  assert.deepEqual(clashes(map), [["Mod+Enter", "submit", "other"]]);
});

test("keymap binds nothing that people type or move with", () => {
  for (const { keys, where } of keymap) for (const chord of keys) assert.equal(isForbidden(chord, where), false, chord);
});

test("forbidden chords are refused, each of them", () => {
  for (const chord of ["Mod+Space", "Ctrl+Space", "Mod+ArrowLeft", "Mod+Shift+ArrowUp", "Tab", "Shift+Tab", "A", "é", "1", "Enter",
    "Backspace", "Delete", "Mod+C", "Alt+Z", "Alt+ArrowLeft", "Mod+Alt+Q", "Alt+3"])
    assert.equal(isForbidden(chord, "work"), true, chord);
});

test("every letter, digit and edit key in the text means nothing", () => {
  const typed = [..."abcdefghijklmnopqrstuvwxyzABCXYZ0123456789+-=?.,/é中の", "Enter", "Backspace", "Delete", "Tab", " ", "ArrowLeft", "Home"];
  for (const key of typed) assert.equal(commandFor(keymap, chordOf(press(key)), inText), null, key);
});

test("bare keys on the page body change nothing", () => {
  for (const key of ["Backspace", "Enter", "Delete", "1", "9", "f", "r", "0", "+", "-"])
    assert.equal(commandFor(keymap, chordOf(press(key)), onBody), null, key);
  assert.equal(commandFor(keymap, chordOf(press("?", { shiftKey: true })), onBody), "help");
});

test("viewer keys work while the image has focus", () => {
  assert.equal(commandFor(keymap, chordOf(press("r")), onImage), "image-turn-right");
  assert.equal(commandFor(keymap, chordOf(press("R", { shiftKey: true })), onImage), "image-turn-left");
  assert.equal(commandFor(keymap, chordOf(press("ArrowDown")), onImage), "image-down");
});

test("while a shape is drawn, its keys go before those of the image, and none while text has the focus", () => {
  const drawing = { ...onImage, isDrawing: true };
  assert.equal(commandFor(keymap, chordOf(press("ArrowLeft")), drawing), "shape-left");
  assert.equal(commandFor(keymap, chordOf(press("ArrowLeft")), onImage), "image-left");
  assert.equal(commandFor(keymap, chordOf(press("x")), drawing), "shape-take-back");
  assert.equal(commandFor(keymap, chordOf(press("+")), drawing), "image-zoom-in");
  for (const key of ["x", " ", "Enter", "Escape", "n", "ArrowLeft"]) assert.equal(commandFor(keymap, chordOf(press(key)), { ...drawing, isEditable: true }), null, key);
});

test("a key of drawing clashes with keys that work everywhere", () => {
  assert.deepEqual(clashes([...keymap, { command: "other", keys: ["F2"], where: "drawing", says: "x" }]), [["F2", "region-new", "other"]]);
});

test("submit is Ctrl+Enter, on a Mac Cmd+Enter", () => {
  assert.equal(commandFor(keymap, chordOf(press("Enter", { ctrlKey: true })), inText), "submit");
  assert.equal(commandFor(keymap, chordOf(press("Enter", { metaKey: true }), { isMac: true }), inText), "submit");
  assert.equal(commandFor(keymap, chordOf(press("Enter", { ctrlKey: true }), { isMac: true }), inText), null);
  assert.equal(commandFor(keymap, chordOf(press("Enter", { ctrlKey: true })), { ...inText, hasWork: false }), null);
});

test("a key that confirms a candidate is composing, in Chrome's order and in Safari's", () => {
  assert.equal(isComposing({ isComposing: true, keyCode: 13 }), true);
  assert.equal(isComposing({ isComposing: false, keyCode: 229 }), true);
  assert.equal(isComposing({ isComposing: false, keyCode: 13 }), false);
});

test("AltGr types and never commands", () => {
  assert.equal(chordOf({ ...press("@", { ctrlKey: true, altKey: true }), getModifierState: (name) => name === "AltGraph" }), null);
});

test("own keys are taken, and refused where they clash or are forbidden", () => {
  const keysOf = (map) => map.find((entry) => entry.command === "submit").keys;
  assert.deepEqual(keysOf(withOwnKeys(keymap, { submit: ["F10"] })), ["F10"]);
  assert.deepEqual(keysOf(withOwnKeys(keymap, { submit: ["F8"] })), ["Mod+Enter"]);
  assert.deepEqual(keysOf(withOwnKeys(keymap, { submit: ["Enter"] })), ["Mod+Enter"]);
  assert.deepEqual(keysOf(withOwnKeys(keymap, { submit: "F9" })), ["Mod+Enter"]);
});

test("a chord is refused where it types, is the browser's or another command's, and free where neither", () => {
  for (const chord of ["Enter", "a", "Tab", "Mod+C", "Mod+W", "Alt+B", "ArrowLeft"]) assert.deepEqual(refusalOf(keymap, "submit", chord), {}, chord);
  assert.deepEqual(refusalOf(keymap, "submit", "Mod+S"), { says: "key_save" });
  assert.deepEqual(refusalOf(keymap, "help", "F8"), { says: "key_disagreement_next" });
  for (const chord of ["F10", "Mod+Enter", "Mod+Shift+Enter", "Mod+D"]) assert.equal(refusalOf(keymap, "submit", chord), null, chord);
  assert.deepEqual(refusalOf(withOwnKeys(keymap, { save: ["F10"] }), "submit", "F10"), { says: "key_save" });
  assert.equal(refusalOf(withOwnKeys(keymap, { save: ["F10"] }), "submit", "Mod+S"), null);
});

test("commands with keys of one's own stand once each, and none is of the image or of a choice", () => {
  const names = ownableCommands(keymap).map(({ command }) => command);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes("submit") && names.includes("disagreement-previous") && !names.includes("image-invert") && !names.includes("choose-a"));
});

test("in a study 1, 2 and 0 choose and only Ctrl+Enter confirms", () => {
  const here = { isEditable: false, isViewer: false, hasWork: false, hasChoice: true };
  for (const [key, command] of [["1", "choose-a"], ["2", "choose-b"], ["0", "choose-none"]])
    assert.equal(commandFor(keymap, chordOf(press(key)), here), command);
  assert.equal(commandFor(keymap, chordOf(press("Enter", { ctrlKey: true })), here), "submit");
  assert.equal(commandFor(keymap, chordOf(press("Enter", { ctrlKey: true })), { ...here, isEditable: true }), "submit");
  for (const key of ["Enter", "Backspace", "Delete", "3", "4", "5", "6", "7", "8", "9", "a", "b", " "])
    assert.equal(commandFor(keymap, chordOf(press(key)), here), null, key);
  for (const key of ["1", "2", "0"]) assert.equal(commandFor(keymap, chordOf(press(key)), { ...here, isEditable: true }), null, key);
  assert.equal(commandFor(keymap, chordOf(press("0")), { ...here, isViewer: true }), "image-fit");
});
