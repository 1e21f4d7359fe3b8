// <ink-new-version kind="latex | region | mask | order | structure" viewer label numbers?>
//   <textarea name="text">…</textarea><code data-first hidden>…</code>?<code data-second hidden>…</code>?
// </ink-new-version>
//
// A version of one's own for a disputed field. LaTeX is written, with a view of it; a table's structure is edited as a
// grid, its cells as empty as they are agreed on apart; outlines and masks are drawn anew or begun from one of the two; an
// order is moved by buttons. The textarea holds the value and fires
// input events that bubble; without scripts it is written by hand.
import { element, icon, partner, whenQuiet } from "../lib/dom.js";
import { readMaskValue, readOrder, readRegionValue, writeRegionValue } from "../lib/field-values.js";
import { mathView } from "../lib/math.js";
import { t } from "../lib/strings.js";

const group = "new-version";

class InkNewVersion extends HTMLElement {
  connectedCallback() {
    this.area = this.querySelector("textarea");
    if (!this.area || this.box) return;
    this.box = element("div", { class: "new-version" });
    this.append(this.box);
    const kind = this.getAttribute("kind");
    if (kind === "latex") this.#written();
    else if (kind === "structure") this.#grid();
    else if (kind === "order") this.#order();
    else this.#drawn(kind);
  }

  disconnectedCallback() {
    this.viewer?.shapes?.show(group, []);
  }

  get viewer() {
    return partner(this, "viewer");
  }

  #set(value) {
    this.area.value = value;
    this.area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }

  #button(name, words, onclick, more = {}) {
    return element("button", { type: "button", class: "button button--small", onclick, ...more }, icon(name), words);
  }

  // -- grid ----------------------------------------------------------------------------------------------------

  /** The editor of tables around the textarea, which it keeps in step. */
  #grid() {
    const begun = (side, letter) => {
      const value = this.querySelector(`[data-${side}]`)?.textContent;
      return value && this.#button("table", t("version_begin", { letter }), () => grid.setText(value));
    };
    const grid = element("ink-table", { label: this.getAttribute("label") ?? "", class: "new-version__grid" });
    const place = document.createComment("");
    this.area.replaceWith(place);
    grid.append(this.area); // the editor looks for its textarea when it comes into the page
    place.replaceWith(grid);
    this.box.append(element("div", { class: "button-row" }, begun("first", "A"), begun("second", "B")));
  }

  // -- written -------------------------------------------------------------------------------------------------

  #written() {
    const show = () => this.box.replaceChildren(mathView(this.area.value));
    this.area.addEventListener("input", whenQuiet(show, 150));
    show();
  }

  // -- order ---------------------------------------------------------------------------------------------------

  #order() {
    this.area.hidden = true;
    const numbers = JSON.parse(this.getAttribute("numbers") ?? "{}");
    const keys = readOrder(this.area.value);
    const move = (at, by) => {
      [keys[at], keys[at + by]] = [keys[at + by], keys[at]];
      this.#set(JSON.stringify(keys));
      show();
      this.box.querySelectorAll("li")[at + by]?.querySelector("button:not(:disabled)")?.focus();
    };
    const show = () => this.box.replaceChildren(element("ol", { class: "order", role: "list" }, ...keys.map((key, at) => {
      const number = numbers[key] ?? key;
      return element("li", {}, element("b", { class: "num" }, t("version_formula", { number })),
        this.#button("arrow-up", "", () => move(at, -1), { disabled: at === 0, "aria-label": t("region_earlier", { number }) }),
        this.#button("arrow-down", "", () => move(at, 1), { disabled: at === keys.length - 1, "aria-label": t("region_later", { number }) }));
    })));
    show();
  }

  // -- drawn ---------------------------------------------------------------------------------------------------

  #drawn(kind) {
    this.area.hidden = true;
    this.state = element("p", { class: "small muted", role: "status" });
    const begun = (side, letter) => {
      const value = this.querySelector(`[data-${side}]`)?.textContent;
      return value && this.#button("pencil", t("version_begin", { letter }), () => this.#begin(kind, value));
    };
    const shapes = kind === "mask" ? ["box", "polygon", "brush"] : ["polygon"];
    this.box.append(element("div", { class: "button-row" },
      ...shapes.map((shape) => this.#button("pencil", kind === "mask" ? t(`mask_${shape}`) : t("version_draw"), () => this.#draw(kind, shape))),
      begun("first", "A"), begun("second", "B")), this.state);
    const more = kind === "mask" ? readMaskValue(this.area.value)?.reason : readRegionValue(this.area.value)?.latex;
    if (more !== undefined && more !== null) this.#addWords(kind, more);
    this.#tell(kind);
  }

  /** A mask has its reason, a formula that only one version has its LaTeX. */
  #addWords(kind, value) {
    this.words = element("input", { type: "text", value, class: kind === "mask" ? "" : "mono", autocomplete: "off", spellcheck: "false", "aria-label": t(kind === "mask" ? "mask_reason_hint" : "version_latex"), placeholder: t(kind === "mask" ? "mask_reason_hint" : "version_latex"),
      oninput: () => this.#set(this.#withWords(kind, this.area.value)) });
    this.box.append(this.words);
  }

  #withWords(kind, value) {
    if (!this.words) return value;
    if (kind === "mask") return JSON.stringify({ ...readMaskValue(value), reason: this.words.value });
    return writeRegionValue({ points: readRegionValue(value)?.points ?? [], latex: this.words.value });
  }

  #draw(kind, shape) {
    const layer = this.viewer?.shapes;
    if (!layer?.image) return;
    const width = Math.max(4, Math.round(layer.image.width / 50));
    layer.draw({ shape, width }, { done: (points) => this.#take(kind, { shape, points, ...(shape === "brush" ? { width } : {}) }) });
  }

  /** Begins with one of the two versions; its points are then moved on the image, by pointer or keys. */
  #begin(kind, value) {
    const shape = kind === "mask" ? readMaskValue(value) : { shape: "polygon", points: readRegionValue(value)?.points };
    if (!shape?.points) return;
    this.#take(kind, shape);
    if (shape.shape === "polygon") this.viewer?.shapes.edit(shape.points, { changed: (points) => this.#take(kind, { ...shape, points }), ended: () => this.area.closest(".choice")?.querySelector("input[type=radio]")?.focus() });
  }

  /** @param {string} kind @param {{shape: any, points: any, width?: number, reason?: string}} drawn */
  #take(kind, { shape, points, width, reason = "" }) {
    const value = kind === "mask" ? JSON.stringify({ ...readMaskValue(this.area.value), shape, points, ...(shape === "brush" ? { width } : { width: undefined }), reason }) : writeRegionValue({ points, latex: this.words ? this.words.value : null });
    this.#set(this.#withWords(kind, value));
    this.viewer?.shapes.show(group, [{ id: group, shape, points, width, look: "new", isActive: true }]);
    this.#tell(kind);
  }

  #tell(kind) {
    const shape = kind === "mask" ? readMaskValue(this.area.value) : readRegionValue(this.area.value);
    this.state.textContent = shape ? t("version_points", { count: shape.points.length }) : t("fault_unfinished");
  }
}

customElements.define("ink-new-version", InkNewVersion);
