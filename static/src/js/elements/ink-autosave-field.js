// <ink-autosave-field save-url field="masks" name="areas" state="#id">…a form with a textarea called `field`…</ink-autosave-field>
//
// Saves the JSON list that a textarea holds, as {name: list}, once things are quiet; the element that `state` names
// says so. What a drawing tool writes into the textarea comes in by its input event.
import { whenQuiet } from "../lib/dom.js";
import { sendJson } from "../lib/http.js";
import { clockTime, t } from "../lib/strings.js";

class InkAutosaveField extends HTMLElement {
  #stop = new AbortController();
  #save = whenQuiet(() => void this.#send(), 600);

  connectedCallback() {
    this.#stop = new AbortController();
    const listen = (event) => event.target.name === this.getAttribute("field") && this.#save();
    this.addEventListener("input", listen, { signal: this.#stop.signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#save.cancel();
  }

  async #send() {
    const list = readList(this.querySelector(`[name="${this.getAttribute("field")}"]`)?.value);
    if (!list) return;
    const { status, data } = await sendJson("POST", this.getAttribute("save-url"), { [this.getAttribute("name")]: list });
    const state = document.querySelector(this.getAttribute("state"));
    if (!state) return;
    const isSaved = status === 200;
    state.dataset.tone = isSaved ? "done" : "todo";
    state.textContent = isSaved ? t("state_saved", { time: clockTime(new Date()) }) : (data.message ?? t("rating_unsaved"));
  }
}

/** The list in a text; null while it is not one (somebody is typing it). */
function readList(text) {
  try {
    const value = JSON.parse(text || "[]");
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

customElements.define("ink-autosave-field", InkAutosaveField);
