// The dialog of all keys, made from the key map itself.
import { activeKeymap, hasWork, isMac } from "./commands.js";
import { element, openDialog } from "./dom.js";
import { t } from "./strings.js";

const macSigns = { Mod: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" };
const arrows = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

export function wordsOfChord(chord) {
  return chord.split(/\+(?=.)/).map((key) => (isMac ? macSigns[key] : key === "Mod" && "Ctrl") || arrows[key] || key).join(isMac ? "" : "+");
}

function section(where, map) {
  const entries = map.filter((entry) => entry.where === where && (!entry.needs || document.querySelector(entry.needs)));
  return [element("h3", {}, t(`keys_${where}`)), element("dl", { class: "keys" }, ...entries.flatMap(({ says, keys }) => [
    element("dt", {}, t(says)), element("dd", {}, ...keys.flatMap((chord, at) => [at ? " " : "", element("kbd", {}, wordsOfChord(chord))])),
  ]))];
}

/** Writes the keys in force wherever a page names those of a command: <kbd data-key="submit">. */
export function writeKeys() {
  const map = activeKeymap();
  for (const place of document.querySelectorAll("kbd[data-key]")) {
    const entry = map.find(({ command }) => command === place.dataset.key);
    if (entry) place.textContent = wordsOfChord(entry.keys[0]);
  }
}

export function showKeys() {
  if (document.querySelector("dialog[data-keys]")) return;
  const hasChoice = document.querySelector("ink-trial") !== null;
  const hasViewer = document.querySelector("ink-viewer") !== null;
  const hasShapes = document.querySelector("ink-regions, ink-masks") !== null;
  const map = activeKeymap();
  const dialog = element("dialog", { class: "dialog", "data-keys": true, "aria-label": t("keys_title") },
    element("div", { class: "dialog__body" }, element("h2", {}, t("keys_title")),
      ...section("page", map), ...(hasWork() ? section("work", map) : []), ...(hasChoice ? section("choice", map) : []), ...(hasViewer ? section("viewer", map) : []), ...(hasShapes ? section("drawing", map) : [])),
    element("form", { class: "dialog__actions", method: "dialog" }, element("button", { class: "button" }, t("close"))));
  openDialog(dialog);
}
