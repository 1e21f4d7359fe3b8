// <ink-visible-area viewer="page-image" label>…an input for "left top width height"…</ink-visible-area>
//
// Adds a button that fills the input with the part of the image the viewer shows: zoom to a place, by pointer or
// keys, and ask about it.
import { element, icon, partner } from "../lib/dom.js";

class InkVisibleArea extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector("input");
    if (!input || this.button) return;
    const fill = () => (input.value = partner(this, "viewer")?.visibleBox?.join(" ") ?? input.value);
    this.button = element("button", { type: "button", class: "button button--small", onclick: fill }, icon("scan-search"), element("span", {}, this.getAttribute("label") ?? ""));
    this.append(this.button);
  }
}

customElements.define("ink-visible-area", InkVisibleArea);
