// <ink-tabs label="…"><nav class="tabs"><a href="#write">…</a>…</nav><section id="write">…</section>…</ink-tabs>
//
// Links to sections become tabs; without scripts the sections stand one under the other. Open is the section that
// `open` names, else the page's address, else the first. Arrow keys move between tabs, F7 and Shift+F7 from anywhere
// on a work page. Fires ink:tab {id}. `show(id)` from outside.
import { announce } from "../lib/dom.js";

class InkTabs extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    this.#stop = new AbortController();
    this.tabs = [...this.querySelectorAll(":scope > .tabs a[href^='#']")];
    this.tabs = this.tabs.filter((tab) => document.getElementById(tab.hash.slice(1)));
    if (!this.tabs.length) return;
    const list = this.tabs[0].closest(".tabs");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", this.getAttribute("label") ?? "");
    for (const tab of this.tabs) this.#prepare(tab);
    document.addEventListener("ink:command", (event) => this.#command(event), { signal: this.#stop.signal });
    const named = this.tabs.find((tab) => tab.hash === location.hash);
    this.show(this.getAttribute("open") ?? (named ?? this.tabs[0]).hash.slice(1));
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  get open() {
    return this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true");
  }

  show(id, { focus = false } = {}) {
    const chosen = this.tabs.find((tab) => tab.hash === `#${id}`);
    if (!chosen) return;
    for (const tab of this.tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.hash.slice(1)).hidden = !isChosen;
    }
    if (focus) chosen.focus();
    announce(this, "tab", { id });
  }

  #prepare(tab) {
    const panel = document.getElementById(tab.hash.slice(1));
    tab.id ||= `tab-${panel.id}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    // A panel without controls would be out of reach of the keys that scroll it.
    if (!panel.querySelector("a[href], button, input, select, textarea, [tabindex]")) panel.tabIndex = 0;
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      this.show(panel.id);
    });
    tab.addEventListener("keydown", (event) => this.#key(event, tab));
  }

  #key(event, tab) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = this.tabs.indexOf(tab);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (event.key === " ") tab.click();
    else if (target === undefined) return;
    else this.#step(target, true);
    event.preventDefault();
  }

  #step(at, focus) {
    const { length } = this.tabs;
    this.show(this.tabs[(at + length) % length].hash.slice(1), { focus });
  }

  #command(event) {
    const step = { "tab-next": 1, "tab-previous": -1 }[event.detail.command];
    if (!step || event.defaultPrevented) return;
    event.preventDefault();
    this.#step(this.tabs.indexOf(this.open) + step, true);
    // Who comes back to the editor by keyboard means to write.
    document.getElementById(this.open.hash.slice(1)).querySelector("ink-editor")?.focus();
  }
}

customElements.define("ink-tabs", InkTabs);
