// <ink-hints key="work"><p data-at="#image">…</p>…</ink-hints>
//
// Short hints on a first visit, one at a time, what each speaks of outlined; once per `key` in this browser.
// Never takes the focus; stands in the page's flow, as one must be able to draw on all of the image.
import { element } from "../lib/dom.js";
import { recall, remember } from "../lib/browser-storage.js";
import { t } from "../lib/strings.js";

class InkHints extends HTMLElement {
  connectedCallback() {
    this.hints = [...this.querySelectorAll("p")];
    this.hidden = true;
    if (!this.hints.length || recall(this.#memoryKey)) return;
    this.hidden = false;
    this.setAttribute("role", "note");
    this.classList.add("hints");
    this.#show(0);
  }

  disconnectedCallback() {
    document.querySelector("[data-hinted]")?.removeAttribute("data-hinted");
  }

  get #memoryKey() {
    return `hints:${this.getAttribute("key")}`;
  }

  #show(at) {
    document.querySelector("[data-hinted]")?.removeAttribute("data-hinted");
    const hint = this.hints[at];
    if (!hint) {
      remember(this.#memoryKey, "seen");
      this.hidden = true;
      return;
    }
    const place = hint.dataset.at && document.querySelector(hint.dataset.at);
    place?.setAttribute("data-hinted", "");
    const isLast = at === this.hints.length - 1;
    this.replaceChildren(
      element("p", { class: "faint small num" }, t("hint_of", { at: at + 1, count: this.hints.length })),
      hint,
      element("div", { class: "button-row" },
        element("button", { type: "button", class: "button button--small", onclick: () => this.#show(at + 1) }, t(isLast ? "hint_done" : "hint_next")),
        !isLast && element("button", { type: "button", class: "button button--quiet button--small", onclick: () => this.#show(this.hints.length) }, t("hint_skip")),
      ),
    );
  }
}

customElements.define("ink-hints", InkHints);
