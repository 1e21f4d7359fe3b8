// An element that does the work of a textarea in another form, and keeps it in step: the textarea carries the text when
// the form is sent, and does the work by itself where there are no scripts. A text set from outside comes in by an
// input or ink:set event on it; after each change of our own it fires an input event that bubbles.
//
// Elements give: build() sets this.box, read() shows what the textarea holds, draw() shows it again, listen(options)
// adds listeners that end with the element, close() lets go of what build() does not own.

export class OverTextarea extends HTMLElement {
  static observedAttributes = ["read-only"];
  #stop = new AbortController();
  #isWriting = false;
  build() {}
  read() {}
  draw() {}
  /** @param {{signal: AbortSignal}} _options */
  listen(_options) {}
  close() {}

  /** @type {HTMLElement | undefined} */ box;
  /** @type {HTMLTextAreaElement} */ area;

  connectedCallback() {
    this.area = this.querySelector("textarea");
    if (!this.area || this.box) return;
    this.#stop = new AbortController();
    const options = { signal: this.#stop.signal };
    this.area.hidden = true;
    this.build();
    this.append(this.box);
    this.read();
    for (const name of ["input", "ink:set"]) this.area.addEventListener(name, () => this.#isWriting || this.read(), options);
    this.listen(options);
    this.toggleAttribute("data-ready", true);
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.close();
    this.box?.remove();
    this.box = undefined;
    if (this.area) this.area.hidden = false;
  }

  attributeChangedCallback() {
    if (this.box) this.draw();
  }

  get isReadOnly() {
    return this.hasAttribute("read-only") || this.area.readOnly;
  }

  /** While our own hand writes, nothing is read back. */
  get isWriting() {
    return this.#isWriting;
  }

  quietly(act) {
    this.#isWriting = true;
    act();
    this.#isWriting = false;
  }

  put(text) {
    this.area.value = text;
    this.quietly(() => this.area.dispatchEvent(new InputEvent("input", { bubbles: true })));
  }
}
