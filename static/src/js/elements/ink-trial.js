// <ink-trial key="…" position="3" event-url="…">…<form data-answer>…</form></ink-trial>
//
// One item of an expert study. 1, 2 and 0 choose an answer, Ctrl+Enter confirms; nothing else does. Tells the server
// when the window is left and comes back, and of text that was pasted or dropped; keeps a comment on this device
// until the next item, so that a session that ends loses nothing.
import { sendJson } from "../lib/http.js";
import { recall, remember } from "../lib/browser-storage.js";

class InkTrial extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    document.addEventListener("ink:command", (event) => this.#command(event), { signal });
    document.addEventListener("visibilitychange", () => this.#tell(document.hidden ? "left" : "returned"), { signal });
    this.addEventListener("paste", () => this.#tell("pasted"), { signal });
    this.addEventListener("drop", () => this.#tell("dropped"), { signal });
    this.#keepComment(signal);
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #command(event) {
    const form = this.querySelector("form[data-answer]");
    const radio = this.querySelector(`[data-choose="${event.detail.command}"]`);
    if (event.defaultPrevented || !form || (!radio && event.detail.command !== "submit")) return;
    event.preventDefault();
    if (radio) {
      radio.checked = true;
      radio.focus();
    } else form.requestSubmit(form.querySelector("button:not([type=button])"));
  }

  #tell(what) {
    const body = { position: Number(this.getAttribute("position")), what };
    void sendJson("POST", this.getAttribute("event-url"), body, { leaving: true });
  }

  /** One place for all items: the next item's comment takes the room of the last one's. */
  #keepComment(signal) {
    const comment = this.querySelector("textarea[name=comment]");
    if (!comment) return;
    const [key, text] = JSON.parse(recall("trial-comment") ?? "[]");
    if (key === this.getAttribute("key") && !comment.value) comment.value = text;
    comment.addEventListener("input", () => remember("trial-comment", JSON.stringify([this.getAttribute("key"), comment.value])), { signal });
  }
}

customElements.define("ink-trial", InkTrial);
