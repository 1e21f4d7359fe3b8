// <ink-rating save-url><form>…fieldset[data-dimension] with radio buttons 1 to 5…</form></ink-rating>
//
// Digits choose a level in the dimension that has the focus, else in the first without one, and go on to the next;
// never while something is typed into, with a modifier, or while an input method is composing. Mod+Enter submits.
// What was chosen is saved as one goes; [data-rating-state] says so, [data-rating-count] how many are chosen.
import { isMac } from "../lib/commands.js";
import { whenQuiet } from "../lib/dom.js";
import { sendJson } from "../lib/http.js";
import { chordOf, isComposing } from "../lib/keymap.js";
import { clockTime, t } from "../lib/strings.js";

const editables = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true]";

class InkRating extends HTMLElement {
  #stop = new AbortController();
  #save = whenQuiet(() => void this.#send(), 600);

  connectedCallback() {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.addEventListener("input", () => this.#changed(), { signal });
    this.#count();
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#save.cancel();
  }

  get form() {
    return this.querySelector("form");
  }

  get dimensions() {
    return [...this.querySelectorAll("fieldset[data-dimension]:not(:disabled)")];
  }

  #key(event) {
    if (isComposing(event) || document.querySelector("dialog:modal")) return;
    const chord = chordOf(event, { isMac });
    if (chord === "Mod+Enter" && this.dimensions.length) {
      event.preventDefault();
      this.form.requestSubmit();
    } else if (/^[1-5]$/.test(chord ?? "") && !event.target.closest?.(editables)) {
      if (this.#choose(chord)) event.preventDefault();
    }
  }

  #choose(level) {
    const all = this.dimensions;
    const here = document.activeElement?.closest("fieldset[data-dimension]") ?? all.find((one) => !one.querySelector(":checked"));
    const radio = here?.querySelector(`input[value="${level}"]`);
    if (!radio) return false;
    radio.checked = true;
    this.#changed();
    const next = all[all.indexOf(here) + 1];
    (next?.querySelector("input:checked") ?? next?.querySelector("input") ?? radio).focus();
    next?.scrollIntoView({ block: "nearest" });
    return true;
  }

  #changed() {
    this.#count();
    this.#save();
  }

  #count() {
    const all = this.dimensions;
    const chosen = all.filter((one) => one.querySelector(":checked")).length;
    const place = document.querySelector("[data-rating-count]");
    if (place) place.textContent = t("rating_count", { chosen, all: all.length });
  }

  async #send() {
    const chosen = this.dimensions.map((one) => [one.dataset.dimension, one.querySelector(":checked")?.value]);
    const scores = Object.fromEntries(chosen.filter(([, value]) => value).map(([name, value]) => [name, Number(value)]));
    const note = this.form.elements.note?.value ?? "";
    const { status, data } = await sendJson("POST", this.getAttribute("save-url"), { scores, note });
    const state = document.querySelector("[data-rating-state]");
    if (!state) return;
    const isSaved = status === 200;
    state.dataset.tone = isSaved ? "done" : "todo";
    state.textContent = isSaved ? t("state_saved", { time: clockTime(new Date()) }) : (data.message ?? t("rating_unsaved"));
  }
}

customElements.define("ink-rating", InkRating);
