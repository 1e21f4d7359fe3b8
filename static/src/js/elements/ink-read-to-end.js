// <ink-read-to-end for="editor-id" url>…button…</ink-read-to-end>
//
// Second review: a text may be accepted once its end was on the screen. Buttons inside with [data-needs-end] stay
// off until then, [data-until-end] says why, and the server is informed by POST (it is the one who decides). fires
// ink:reached-end.
import { announce } from "../lib/dom.js";
import { sendJson } from "../lib/http.js";

const SLACK = 8; // pixels of the last line that may be below the edge

/** True when the last line is in view; the empty room that an editor leaves below it need not be. */
function isEndShown(pane) {
  // A list of its own (formulas, a table) is read when it was scrolled to its end, whatever editors lie within.
  if (pane.hasAttribute("data-reach")) return pane.scrollTop + pane.clientHeight >= pane.scrollHeight - SLACK;
  const last = pane.querySelector(".cm-content")?.lastElementChild;
  // An editor draws only the lines near the view; what it left out stands there as a gap.
  if (last?.classList.contains("cm-line"))
    return last.getBoundingClientRect().bottom <= pane.getBoundingClientRect().bottom + SLACK;
  return !last && pane.scrollTop + pane.clientHeight >= pane.scrollHeight - SLACK;
}

class InkReadToEnd extends HTMLElement {
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
    const pane = editor?.querySelector("[data-reach]") ?? editor?.querySelector(".cm-scroller") ?? editor;
    if (!pane?.checkVisibility() || this.#isAsking || this.hasAttribute("reached")) return;
    if (!isEndShown(pane)) return;
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
    for (const words of this.querySelectorAll("[data-until-end]")) words.hidden = isAllowed;
    for (const button of this.querySelectorAll("[data-needs-end]"))
      if (isAllowed) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
  }
}

customElements.define("ink-read-to-end", InkReadToEnd);
