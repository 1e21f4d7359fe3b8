// Every key of the product, as data. keymap.test.js proves that none clash and none takes a key people type with.
//
// where:  "page"    anywhere; keys without a modifier stay out of fields
//         "work"    pages with a work form, also inside the editor
//         "viewer"  only while the page image has the (visible) focus
// Mod is Ctrl, on a Mac Cmd. Alt with letters or digits is left alone: it types letters on many keyboards.

export const keymap = [
  { command: "help", keys: ["?", "F1"], where: "page", says: "key_help" },
  { command: "submit", keys: ["Mod+Enter"], where: "work", says: "key_submit" },
  { command: "save", keys: ["Mod+S"], where: "work", says: "key_save" },
  { command: "pane-next", keys: ["F6"], where: "work", says: "key_pane_next" },
  { command: "pane-previous", keys: ["Shift+F6"], where: "work", says: "key_pane_previous" },
  { command: "tab-next", keys: ["F7"], where: "work", says: "key_tab_next" },
  { command: "tab-previous", keys: ["Shift+F7"], where: "work", says: "key_tab_previous" },
  { command: "disagreement-next", keys: ["F8"], where: "work", says: "key_disagreement_next" },
  { command: "disagreement-previous", keys: ["Shift+F8"], where: "work", says: "key_disagreement_previous" },
  { command: "image-zoom-in", keys: ["Alt+PageUp"], where: "work", says: "key_zoom_in" },
  { command: "image-zoom-out", keys: ["Alt+PageDown"], where: "work", says: "key_zoom_out" },
  { command: "image-fit", keys: ["Alt+End"], where: "work", says: "key_fit" },
  { command: "image-zoom-in", keys: ["+", "="], where: "viewer", says: "key_zoom_in" },
  { command: "image-zoom-out", keys: ["-"], where: "viewer", says: "key_zoom_out" },
  { command: "image-fit", keys: ["0"], where: "viewer", says: "key_fit" },
  { command: "image-turn-right", keys: ["R"], where: "viewer", says: "key_turn_right" },
  { command: "image-turn-left", keys: ["Shift+R"], where: "viewer", says: "key_turn_left" },
  { command: "image-invert", keys: ["I"], where: "viewer", says: "key_invert" },
  { command: "image-loupe", keys: ["L"], where: "viewer", says: "key_loupe" },
  { command: "image-left", keys: ["ArrowLeft"], where: "viewer", says: "key_pan_left" },
  { command: "image-right", keys: ["ArrowRight"], where: "viewer", says: "key_pan_right" },
  { command: "image-up", keys: ["ArrowUp"], where: "viewer", says: "key_pan_up" },
  { command: "image-down", keys: ["ArrowDown"], where: "viewer", says: "key_pan_down" },
];

/** True while an input method has a candidate open. Safari ends the composition before the keydown that
    confirmed it and leaves only keyCode 229 as a sign. */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

/** The chord of a keydown as the key map writes it ("Mod+Enter"); null for a bare modifier and for AltGr. */
export function chordOf(event, { isMac = false } = {}) {
  if (["Control", "Shift", "Alt", "Meta", "AltGraph", "Dead", "Process"].includes(event.key)) return null;
  if (event.getModifierState?.("AltGraph")) return null;
  const parts = [];
  if (isMac ? event.metaKey : event.ctrlKey) parts.push("Mod");
  if (isMac ? event.ctrlKey : event.metaKey) parts.push(isMac ? "Ctrl" : "Meta");
  if (event.altKey) parts.push("Alt");
  const isLetter = /^\p{L}$/u.test(event.key);
  // "?" already says that Shift is down, on whichever key the keyboard keeps it.
  if (event.shiftKey && (isLetter || event.key.length > 1)) parts.push("Shift");
  parts.push(event.key === " " ? "Space" : isLetter ? event.key.toUpperCase() : event.key);
  return parts.join("+");
}

/** Pairs of entries that one chord would reach at once: `page` and `work` and `viewer` are all live in the viewer. */
export function clashes(map) {
  const seen = new Map();
  const found = [];
  for (const entry of map) {
    for (const chord of entry.keys) {
      const other = seen.get(chord);
      if (other && other.command !== entry.command) found.push([chord, other.command, entry.command]);
      seen.set(chord, entry);
    }
  }
  return found;
}

/** Chords nobody may bind: they type, move the caret, leave a field, switch input methods or belong to the browser. */
export function isForbidden(chord, where) {
  const key = chord.split("+").pop();
  if (/(^|\+)Tab$/.test(chord) || /(^|\+)(Backspace|Delete)$/.test(chord)) return true;
  if (/^(Mod|Ctrl|Meta)\+(Shift\+)?(Space|Arrow(Left|Right|Up|Down)|Home|End)$/.test(chord)) return true;
  if (/^Mod\+(Alt\+)/.test(chord) || /^Mod\+[ACVXZYTWNRLQ]$/.test(chord)) return true;
  if (/^Alt\+(Shift\+)?(.|Arrow(Left|Right|Up|Down)|Home)$/u.test(chord)) return true;
  const isBare = !/^(Mod|Ctrl|Meta|Alt)\+/.test(chord) && !/^F\d+$/.test(key);
  return isBare && where !== "viewer" && chord !== "?";
}

/** The key map with a person's own chords ({command: [chord]}), where they clash with nothing and are allowed. */
export function withOwnKeys(map, own) {
  const changed = map.map((entry) => {
    const keys = entry.where === "viewer" ? undefined : own[entry.command];
    const isUsable = Array.isArray(keys) && keys.length && keys.every((chord) => !isForbidden(chord, entry.where));
    return isUsable ? { ...entry, keys } : entry;
  });
  return clashes(changed).length ? map : changed;
}

/** The command that a keydown means at this place, or null. */
export function commandFor(map, chord, { isEditable, isViewer, hasWork }) {
  const entry = map.find((one) => one.keys.includes(chord) && isLive(one, chord, { isEditable, isViewer, hasWork }));
  return entry?.command ?? null;
}

function isLive(entry, chord, { isEditable, isViewer, hasWork }) {
  if (entry.where === "viewer") return isViewer && !isEditable;
  if (entry.where === "work") return hasWork;
  return !isEditable || /^(Mod|Alt)\+|^(Shift\+)?F\d+$/.test(chord);
}
