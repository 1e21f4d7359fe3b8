// <ink-case viewer="page-image" box="x y w h"?> … one disputed line … </ink-case>
//
// Working on a line brings its place on the image into view. Boxes are in pixels of the picture.

class InkCase extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    for (const name of ["focusin", "pointerdown"]) this.addEventListener(name, () => this.#bringIntoView(), { signal });
    // Writing another text means choosing it.
    this.addEventListener("input", (event) => {
      if (event.target.type === "text") event.target.closest("label")?.querySelector("input[type=radio]")?.click();
    }, { signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #bringIntoView() {
    const box = this.getAttribute("box");
    const viewer = document.getElementById(this.getAttribute("viewer"));
    if (!box || !viewer || viewer.getAttribute("highlight") === box) return;
    viewer.setAttribute("highlight", box);
    viewer.setAttribute("zoom-to", box);
  }
}

customElements.define("ink-case", InkCase);
