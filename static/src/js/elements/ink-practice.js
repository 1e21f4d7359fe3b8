// <ink-practice>…a form#submission, its fields and buttons…</ink-practice>
//
// The workbench of a practice page: Ctrl+Enter submits, as it will when it counts. Nothing is saved before, no clock runs.
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
    const form = this.querySelector("form#submission");
    if (event.defaultPrevented || event.detail.command !== "submit" || !form) return;
    event.preventDefault();
    form.requestSubmit(submitButton(form));
  }
}

customElements.define("ink-practice", InkPractice);
