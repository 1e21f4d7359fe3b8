// <ink-practice>…a form#hand-in, its fields and buttons…</ink-practice>
//
// The desk of a practice page: Ctrl+Enter hands in, as it will when it counts. Nothing is saved before, no clock runs.
import { submitButton } from "../lib/focused-form.js";

class InkPractice extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    this.#stop = new AbortController();
    document.addEventListener("ink:command", (event) => this.#command(event), { signal: this.#stop.signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #command(event) {
    const form = this.querySelector("form#hand-in");
    if (event.defaultPrevented || event.detail.command !== "submit" || !form) return;
    event.preventDefault();
    form.requestSubmit(submitButton(form));
  }
}

customElements.define("ink-practice", InkPractice);
