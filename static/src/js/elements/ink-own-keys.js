// <ink-own-keys><input type="hidden" name="keys" value='{"submit": ["F10"]}'></ink-own-keys>
//
// A row for each command that may have keys of one's own: what it does, its keys, and a button that takes the next
// keys pressed. Keys that type, belong to the browser or mean something already are refused at once, with the reason.
import { isMac } from "../lib/commands.js";
import { element } from "../lib/dom.js";
import { wordsOfChord } from "../lib/help.js";
import { chordOf, isComposing, keymap, ownableCommands, refusalOf, withOwnKeys } from "../lib/keymap.js";
import { t } from "../lib/strings.js";

class InkOwnKeys extends HTMLElement {
  #stop = new AbortController();
  #waiting = null;

  connectedCallback() {
    this.#stop = new AbortController();
    this.input = this.querySelector('input[name="keys"]');
    this.own = JSON.parse(this.input.value || "{}");
    this.rows = new Map();
    // On the window, so that what listens for commands does not take the keys first.
    window.addEventListener("keydown", (event) => this.#take(event), { capture: true, signal: this.#stop.signal });
    this.#draw();
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #draw() {
    this.querySelector(".table-box")?.remove();
    const body = element("tbody", {}, ...ownableCommands(keymap).map((entry) => this.#row(entry)));
    this.append(element("div", { class: "table-box" }, element("table", { class: "table" }, body)));
    for (const { command } of ownableCommands(keymap)) this.#show(command);
  }

  #row({ command, says }) {
    const keys = element("td", { class: "nowrap" });
    const change = element("button", { type: "button", class: "button button--small", onclick: () => this.#wait(command), onblur: () => this.#wait(null) });
    const reset = element("button", { type: "button", class: "button button--small button--quiet", onclick: () => this.#set(command, null) }, t("own_keys_reset"));
    const words = element("p", { class: "field__error", role: "alert", hidden: true });
    this.rows.set(command, { keys, change, reset, words });
    const name = element("th", { scope: "row", id: `key-${command}` }, t(says), words);
    for (const button of [change, reset]) button.setAttribute("aria-describedby", name.id);
    return element("tr", { "data-command-row": command }, name, keys, element("td", {}, element("div", { class: "button-row" }, change, reset)));
  }

  #show(command, refused = "") {
    const { keys, change, reset, words } = this.rows.get(command);
    const entry = ownableCommands(withOwnKeys(keymap, this.own)).find((one) => one.command === command);
    keys.replaceChildren(...entry.keys.flatMap((chord, at) => [at ? " " : "", element("kbd", {}, wordsOfChord(chord))]));
    change.textContent = t(this.#waiting === command ? "own_keys_press" : "own_keys_change");
    reset.hidden = !(command in this.own);
    words.hidden = !refused;
    words.textContent = refused;
  }

  #wait(command) {
    const before = this.#waiting;
    this.#waiting = command;
    for (const changed of [before, command]) if (changed) this.#show(changed);
  }

  #take(event) {
    const command = this.#waiting;
    if (!command || isComposing(event)) return;
    const chord = chordOf(event, { isMac });
    if (chord === "Tab" || chord === "Shift+Tab") return; // leaves the button, which stops the waiting
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!chord) return;
    this.#waiting = null;
    if (chord === "Escape") this.#show(command);
    else this.#set(command, chord);
  }

  #set(command, chord) {
    if (chord) {
      const refused = refusalOf(withOwnKeys(keymap, this.own), command, chord);
      if (refused) {
        const keys = wordsOfChord(chord);
        const words = refused.says ? t("own_keys_taken", { keys, says: t(refused.says) }) : t("own_keys_forbidden", { keys });
        this.#show(command, words);
        return;
      }
      this.own[command] = [chord];
    } else {
      const others = { ...this.own };
      delete others[command];
      // its first keys may be another command's own ones by now
      const isFree = withOwnKeys(keymap, others) !== keymap || !Object.keys(others).length;
      if (!isFree) {
        this.#show(command, t("own_keys_reset_taken"));
        return;
      }
      this.own = others;
    }
    this.input.value = JSON.stringify(this.own);
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
    this.#show(command);
  }
}

customElements.define("ink-own-keys", InkOwnKeys);
