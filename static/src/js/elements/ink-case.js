// <ink-case viewer="page-image" box="x y w h"? line="3" lines="12" open?> … one disputed line … </ink-case>
//
// Working on a line brings its place on the image into view, and the first open one (or the one the address names)
// is in view from the start. Boxes are in pixels of the picture; without one, the line is found on the picture.

class InkCase extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    for (const name of ["focusin", "pointerdown"]) this.addEventListener(name, () => this.#bringIntoView(), { signal });
    for (const name of ["ink:drawn", "hashchange"]) window.addEventListener(name, () => this.#isFirst() && this.#bringIntoView(), { signal });
    // Writing another text means choosing it.
    this.addEventListener("input", (event) => {
      if (event.target.type === "text") event.target.closest("label")?.querySelector("input[type=radio]")?.click();
    }, { signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #isFirst() {
    const named = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    return (named ?? document.querySelector("ink-case[open]") ?? document.querySelector("ink-case")) === this;
  }

  #bringIntoView() {
    const box = this.getAttribute("box");
    const viewer = document.getElementById(this.getAttribute("viewer"));
    if (!viewer || viewer.shownCase === this) return;
    viewer.shownCase = this;
    if (box) viewer.showBox(box);
    else viewer.showLine(Number(this.getAttribute("line")), Number(this.getAttribute("lines")));
  }
}

customElements.define("ink-case", InkCase);
