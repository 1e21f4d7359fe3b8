// <ink-disputed-field viewer="page-image" box="x y w h"? areas='{"first": {points, width}, "second": … or "1": …}'? line="3" lines="12" open?>
//   … one disputed field …
// </ink-disputed-field>
//
// Working on a line brings its place on the image into view, and the first open one (or the one the address names)
// is in view from the start. Areas are drawn over the image: the annotator's whole, the reviewer's dashed, of a reading order each formula with its number. Boxes are in pixels of the image; without one, the line is found on the image.

const marks = { first: "A", second: "B" };

class InkDisputedField extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    for (const name of ["focusin", "pointerdown"]) this.addEventListener(name, () => this.#bringIntoView(), { signal });
    for (const name of ["ink:drawn", "hashchange"]) window.addEventListener(name, () => this.#isFirst() && this.#bringIntoView(), { signal });
    // Writing another text means choosing it.
    this.addEventListener("input", (event) => {
      const radio = event.target.matches("input[type=text], textarea") && event.target.closest(".choice")?.querySelector("input[type=radio]");
      if (radio) radio.checked = true;
    }, { signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #isFirst() {
    const named = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    return (named ?? document.querySelector("ink-disputed-field[open]") ?? document.querySelector("ink-disputed-field")) === this;
  }

  #bringIntoView() {
    const box = this.getAttribute("box");
    const viewer = document.getElementById(this.getAttribute("viewer"));
    if (!viewer || viewer.shownCase === this) return;
    viewer.shownCase = this;
    const shapes = this.#drawAreas(viewer);
    if (shapes.length) viewer.setAttribute("zoom-to", box ?? boxAround(shapes));
    else if (box) viewer.showBox(box);
    else viewer.showLine(Number(this.getAttribute("line")), Number(this.getAttribute("lines")));
  }

  /** The shapes that are this field's own on the image, drawn; none when it has no place. */
  #drawAreas(viewer) {
    const areas = JSON.parse(this.getAttribute("areas") || "{}");
    const shapes = Object.entries(areas).map(([side, { points, width }]) => ({ id: side, shape: width ? "brush" : "polygon", points, width, look: marks[side] ? side : "plain", label: marks[side] ?? side }));
    viewer.shapes?.show("case", shapes);
    if (shapes.length) viewer.removeAttribute("highlight");
    return shapes;
  }
}

function boxAround(shapes) {
  const points = shapes.flatMap((shape) => shape.points);
  const [lefts, tops] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...lefts), Math.min(...tops)];
  return [left, top, Math.max(...lefts) - left, Math.max(...tops) - top].join(" ");
}

customElements.define("ink-disputed-field", InkDisputedField);
