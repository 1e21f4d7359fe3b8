// Turns keydowns into commands: one listener, one key map. Elements answer ink:command {command} and take it with
// preventDefault. While a dialog is open, or an input method is composing, no key is a command.
import { chordOf, commandFor, isComposing, keymap, withOwnKeys } from "./keymap.js";
import { announce } from "./dom.js";

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function activeKeymap() {
  const own = document.querySelector('meta[name="ink-keys"]')?.content;
  return own ? withOwnKeys(keymap, JSON.parse(own)) : keymap;
}

const editables = "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range]), textarea, select, [contenteditable=true]";

/** Whether the page has a work form, one that saves or one to practise on. */
export function hasWork() {
  return document.querySelector("ink-autosave, ink-practice") !== null;
}

export function listenForCommands() {
  const map = activeKeymap();
  document.addEventListener("keydown", (event) => {
    if (isComposing(event) || document.querySelector("dialog:modal")) return;
    const chord = chordOf(event, { isMac });
    const target = event.target instanceof Element ? event.target : document.body;
    const command = chord && commandFor(map, chord, {
      isEditable: target.closest(editables) !== null,
      isViewer: target.closest(".openseadragon-canvas") !== null,
      isDrawing: target.closest(".openseadragon-canvas[data-drawing]") !== null,
      hasWork: hasWork(),
      hasChoice: document.querySelector("ink-trial") !== null,
    });
    if (command && !announce(target, "command", { command })) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, { capture: true });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-command]");
    if (button) announce(button, "command", { command: button.dataset.command });
  });
}
