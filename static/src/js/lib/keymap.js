// Every key of the product, as data. keymap.test.js proves that none clash and none takes a key people type with.
//
// where:  "page"    anywhere; keys without a modifier stay out of fields
//         "work"    pages with a work form, also inside the editor
//         "choice"  pages with an answer to choose (an expert study); bare digits stay out of fields and of the image
//         "viewer"  only while the page image has the (visible) focus
//         "drawing" the same, while a shape is drawn or changed on it; then they go before those of "viewer"
// needs:  the element without which the key means nothing; the list of keys leaves it out on other pages
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
  { command: "region-new", keys: ["F2"], where: "work", needs: "ink-regions", says: "key_region_new" },
  { command: "region-next", keys: ["F9"], where: "work", needs: "ink-regions", says: "key_region_next" },
  { command: "region-previous", keys: ["Shift+F9"], where: "work", needs: "ink-regions", says: "key_region_previous" },
  { command: "region-earlier", keys: ["Alt+Shift+PageUp"], where: "work", needs: "ink-regions", says: "key_region_earlier" },
  { command: "region-later", keys: ["Alt+Shift+PageDown"], where: "work", needs: "ink-regions", says: "key_region_later" },
  { command: "mask-mark", keys: ["F4"], where: "work", needs: "ink-masks", says: "key_mask_mark" },
  { command: "mask-box", keys: ["Shift+F2"], where: "work", needs: "ink-masks", says: "key_mask_box" },
  { command: "submit", keys: ["Mod+Enter"], where: "choice", says: "key_confirm" },
  { command: "choose-a", keys: ["1"], where: "choice", says: "key_choose_a" },
  { command: "choose-b", keys: ["2"], where: "choice", says: "key_choose_b" },
  { command: "choose-none", keys: ["0"], where: "choice", says: "key_choose_none" },
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
  { command: "region-new", keys: ["D"], where: "viewer", needs: "ink-regions", says: "key_region_new" },
  { command: "region-edit", keys: ["E"], where: "viewer", needs: "ink-regions", says: "key_region_edit" },
  { command: "region-whole", keys: ["W"], where: "viewer", needs: "ink-regions", says: "key_region_whole" },
  { command: "region-remove", keys: ["Shift+X"], where: "viewer", needs: "ink-regions", says: "key_region_remove" },
  { command: "region-undo", keys: ["U"], where: "viewer", needs: "ink-regions", says: "key_region_undo" },
  { command: "mask-box", keys: ["M"], where: "viewer", needs: "ink-masks", says: "key_mask_box" },
  { command: "mask-polygon", keys: ["Shift+M"], where: "viewer", needs: "ink-masks", says: "key_mask_polygon" },
  { command: "mask-brush", keys: ["B"], where: "viewer", needs: "ink-masks", says: "key_mask_brush" },
  { command: "mask-show", keys: ["H"], where: "viewer", needs: "ink-masks", says: "key_mask_show" },
  { command: "shape-left", keys: ["ArrowLeft"], where: "drawing", says: "key_shape_left" },
  { command: "shape-right", keys: ["ArrowRight"], where: "drawing", says: "key_shape_right" },
  { command: "shape-up", keys: ["ArrowUp"], where: "drawing", says: "key_shape_up" },
  { command: "shape-down", keys: ["ArrowDown"], where: "drawing", says: "key_shape_down" },
  { command: "shape-left-far", keys: ["Shift+ArrowLeft"], where: "drawing", says: "key_shape_left_far" },
  { command: "shape-right-far", keys: ["Shift+ArrowRight"], where: "drawing", says: "key_shape_right_far" },
  { command: "shape-up-far", keys: ["Shift+ArrowUp"], where: "drawing", says: "key_shape_up_far" },
  { command: "shape-down-far", keys: ["Shift+ArrowDown"], where: "drawing", says: "key_shape_down_far" },
  { command: "shape-place", keys: ["Space"], where: "drawing", says: "key_shape_place" },
  { command: "shape-finish", keys: ["Enter"], where: "drawing", says: "key_shape_finish" },
  { command: "shape-take-back", keys: ["X"], where: "drawing", says: "key_shape_take_back" },
  { command: "shape-next-point", keys: ["N"], where: "drawing", says: "key_shape_next_point" },
  { command: "shape-previous-point", keys: ["Shift+N"], where: "drawing", says: "key_shape_previous_point" },
  { command: "shape-cancel", keys: ["Escape"], where: "drawing", says: "key_shape_cancel" },
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

/** Pairs of entries that one chord would reach at once: `page` and `work` and `viewer` are all live in the viewer;
    `drawing` stands before `viewer`, but not before the rest; the keys of `choice` are not live on the image. */
export function clashes(map) {
  const found = [];
  for (const [at, entry] of map.entries()) {
    for (const other of map.slice(0, at)) {
      const isMeant = ["drawing,viewer", "choice,viewer", "choice,drawing"].includes([entry.where, other.where].sort().join());
      if (isMeant || other.command === entry.command) continue;
      found.push(...entry.keys.filter((chord) => other.keys.includes(chord)).map((chord) => [chord, other.command, entry.command]));
    }
  }
  // once each, though two entries of one command may have the chord (Ctrl+Enter submits work and confirms a choice)
  return [...new Map(found.map((clash) => [clash.join(), clash])).values()];
}

const onImage = new Set(["viewer", "drawing"]);
const isBareDigit = (chord) => /^\d$/.test(chord);

/** Chords nobody may bind: they type, move the caret, leave a field, switch input methods or belong to the browser. */
export function isForbidden(chord, where) {
  const key = chord.split("+").pop();
  if (/(^|\+)Tab$/.test(chord) || /(^|\+)(Backspace|Delete)$/.test(chord)) return true;
  if (/^(Mod|Ctrl|Meta)\+(Shift\+)?(Space|Arrow(Left|Right|Up|Down)|Home|End)$/.test(chord)) return true;
  if (/^Mod\+(Alt\+)/.test(chord) || /^Mod\+[ACVXZYTWNRLQ]$/.test(chord)) return true;
  if (/^Alt\+(Shift\+)?(.|Arrow(Left|Right|Up|Down)|Home)$/u.test(chord)) return true;
  const isBare = !/^(Mod|Ctrl|Meta|Alt)\+/.test(chord) && !/^F\d+$/.test(key);
  if (where === "choice" && isBareDigit(chord)) return false;
  return isBare && !onImage.has(where) && chord !== "?";
}

const isOwnable = ({ where }) => where === "page" || where === "work";

/** The entries that may have keys of one's own, one a command: those that hold everywhere on a page. */
export function ownableCommands(map) {
  return map.filter(isOwnable).filter((entry, at, all) => all.findIndex((one) => one.command === entry.command) === at);
}

/** Why a command cannot have a chord: {} where nobody may bind it, {says} of the command that has it; null where it can. */
export function refusalOf(map, command, chord) {
  if (map.some((entry) => entry.command === command && isOwnable(entry) && isForbidden(chord, entry.where))) return {};
  const clash = clashes(map.map((entry) => (entry.command === command && isOwnable(entry) ? { ...entry, keys: [chord] } : entry)))
    .find(([keys, ...commands]) => keys === chord && commands.includes(command));
  const other = clash?.slice(1).find((name) => name !== command);
  return other ? { says: map.find((entry) => entry.command === other).says } : null;
}

/** The key map with a person's own chords ({command: [chord]}), where they clash with nothing and are allowed. */
export function withOwnKeys(map, own) {
  const changed = map.map((entry) => {
    const keys = isOwnable(entry) ? own[entry.command] : undefined;
    const isUsable = Array.isArray(keys) && keys.length && keys.every((chord) => !isForbidden(chord, entry.where));
    return isUsable ? { ...entry, keys } : entry;
  });
  return clashes(changed).length ? map : changed;
}

/** The command that a keydown means at this place, or null. */
export function commandFor(map, chord, place) {
  const live = map.filter((one) => one.keys.includes(chord) && isLive(one, chord, place));
  return (live.find((one) => one.where === "drawing") ?? live[0])?.command ?? null;
}

function isLive(entry, chord, { isEditable, isViewer, isDrawing, hasWork, hasChoice = false }) {
  if (entry.where === "viewer") return isViewer && !isEditable;
  if (entry.where === "drawing") return isDrawing && !isEditable;
  if (entry.where === "work") return hasWork;
  if (entry.where === "choice") return hasChoice && (chord.startsWith("Mod+") || (!isEditable && !isViewer));
  return !isEditable || /^(Mod|Alt)\+|^(Shift\+)?F\d+$/.test(chord);
}
