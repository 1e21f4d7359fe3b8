// <ink-reach for="editor-id" url>…button…</ink-reach>
//
// Second review: a text may be accepted once its end was on the screen. Buttons inside with [data-needs-end] stay
// off until then, and the server is told by POST (it is the one who decides). fires ink:reached-end.
import { announce } from "../lib/dom.js";
import { sendJson } from "../lib/http.js";

class InkReach extends HTMLElement {
  #stop = new AbortController();
  #isAsking = false;

  connectedCallback() {
    this.#stop = new AbortController();
    if (this.hasAttribute("reached")) return;
    this.#allow(false);
    const check = () => requestAnimationFrame(() => void this.#check());
    const options = { signal: this.#stop.signal, capture: true, passive: true };
    for (const name of ["scroll", "resize", "ink:tab", "ink:drawn"]) document.addEventListener(name, check, options);
    window.addEventListener("resize", check, options);
    customElements.whenDefined("ink-editor").then(check);
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  async #check() {
    const editor = document.getElementById(this.getAttribute("for"));
    const pane = editor?.querySelector(".cm-scroller") ?? editor;
    if (!pane?.checkVisibility() || this.#isAsking || this.hasAttribute("reached")) return;
    if (pane.scrollTop + pane.clientHeight < pane.scrollHeight - 8) return;
    this.#isAsking = true;
    const { status } = await sendJson("POST", this.getAttribute("url"), {});
    this.#isAsking = false;
    if (status < 200 || status >= 300) return;
    this.setAttribute("reached", "");
    this.#stop.abort();
    this.#allow(true);
    announce(this, "reached-end");
  }

  #allow(isAllowed) {
    for (const button of this.querySelectorAll("[data-needs-end]"))
      if (isAllowed) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
  }
}

customElements.define("ink-reach", InkReach);
