// <ink-region-fields id label read-only?>
//   <textarea name="text" hidden>{"1": "x^2"}</textarea>
//   <textarea data-region="1"></textarea> …
// </ink-region-fields>
//
// One field a numbered region; the hidden textarea holds all of them as a JSON object of LaTeX by number, in step
// after every change. `text` is what ink-preview draws: a formula a paragraph. fires ink:change {text}, and input on
// the textarea.
import { announce } from "../lib/dom.js";

class InkRegionFields extends HTMLElement {
  static observedAttributes = ["read-only"];

  connectedCallback() {
    this.area = this.querySelector('textarea[name="text"]');
    this.fields = [...this.querySelectorAll("[data-region]")];
    let held;
    try {
      held = JSON.parse(this.area.value || "{}");
    } catch {
      held = {}; // not ours: the fields begin empty, the server says what it cannot read
    }
    for (const field of this.fields) field.value = held[field.dataset.region] ?? "";
    this.addEventListener("input", (event) => event.target !== this.area && this.#write());
    this.attributeChangedCallback();
    this.fields.find((field) => field.autofocus)?.focus();
  }

  attributeChangedCallback() {
    for (const field of this.fields ?? []) field.readOnly = this.hasAttribute("read-only");
  }

  get text() {
    return this.fields.filter((field) => field.value.trim()).map((field) => `$$${field.value}$$`).join("\n\n");
  }

  #write() {
    const filled = this.fields.filter((field) => field.value.trim());
    this.area.value = filled.length ? JSON.stringify(Object.fromEntries(filled.map((field) => [field.dataset.region, field.value]))) : "";
    this.area.dispatchEvent(new Event("input", { bubbles: true }));
    announce(this, "change", { text: this.text });
  }
}

customElements.define("ink-region-fields", InkRegionFields);
