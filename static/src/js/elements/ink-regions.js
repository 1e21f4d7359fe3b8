// <ink-regions id viewer="page-image" label read-only?><textarea name="text">{"regions": […]}</textarea></ink-regions>
//
// Formulas of a page: outlines on the image, each with one LaTeX, in reading order. The textarea holds the JSON of
// lib/regions.js and is in step after every change (an input event that bubbles); a text set from outside comes in by
// an input or ink:set event on it. `ink:insert {text}` on the textarea puts text at the caret of the active LaTeX.
//
// fires ink:change {text} after each change      properties text      methods focus(), undo(), setText(text),
// takeLatex(latex) into the active region, formula(id), showFormula(id)
import { announce, element, icon, partner, whenQuiet } from "../lib/dom.js";
import { wholeImage } from "../lib/geometry.js";
import { OverTextarea } from "../lib/over-textarea.js";
import { RegionList, readRegions, writeRegions } from "../lib/regions.js";
import { RegionRow } from "../lib/region-row.js";
import { t } from "../lib/strings.js";

class InkRegions extends OverTextarea {
  #rows = new Map();

  listen(options) {
    this.area.addEventListener("ink:insert", (event) => this.#insert(event), options);
    document.addEventListener("ink:command", (event) => this.#command(event), options);
    document.addEventListener("ink:drawn", (event) => event.target === this.viewer && this.#showOnImage(), options);
    customElements.whenDefined("ink-viewer").then(() => this.viewer?.shapes?.onPick("regions", (id) => this.#activate(id, { focus: true })));
  }

  close() {
    this.#closeRows();
    this.viewer?.shapes?.show("regions", []);
    this.list = undefined;
  }

  #closeRows() {
    for (const row of this.#rows.values()) row.close();
    this.#rows.clear();
  }

  get viewer() {
    return partner(this, "viewer");
  }

  get text() {
    return this.list ? this.#written : (this.querySelector("textarea")?.value ?? "");
  }

  /** What stands in the textarea when it is no list of regions is never written over. */
  get #written() {
    return this.isBroken ? this.area.value : writeRegions(this.list.regions);
  }

  setText(text) {
    this.area.value = text;
    this.read();
    this.#tell();
  }

  undo() {
    const what = this.list.undo();
    if (!what) return;
    this.#changed();
    this.#say(t(`undone_${what}`));
  }

  /** Fills the active region and leads to it; its id, or null where there is none to fill. */
  takeLatex(latex) {
    const { activeId } = this.list;
    const row = this.#rows.get(activeId);
    if (!row || this.isReadOnly) return null;
    row.setLatex(latex);
    this.#write(activeId, latex);
    this.showFormula(activeId);
    return activeId;
  }

  /** {number, latex} of a region, as people count; null once it is gone. */
  formula(id) {
    const at = this.list.at(id);
    return at < 0 ? null : { number: at + 1, latex: this.list.regions[at].latex };
  }

  /** Brings a region before the person's eyes, from whatever tab they are in, with the caret in its LaTeX. */
  showFormula(id) {
    const panel = this.closest("[role=tabpanel]");
    if (panel) panel.closest("ink-tabs")?.show(panel.id);
    this.#activate(id, { focus: true, bring: true });
  }

  focus() {
    const row = this.#rows.get(this.list.activeId);
    if (row) row.focus();
    else this.tools.querySelector("button")?.focus();
  }

  // -- building ------------------------------------------------------------------------------------------------

  build() {
    const tool = (name, key, chord, act) => element("button", { type: "button", class: "button button--small", title: chord, onclick: act }, icon(name), element("span", {}, t(key)));
    this.undoButton = tool("undo-2", "region_undo", "U", () => this.undo());
    this.tools = element("div", { class: "toolbar regions__tools", role: "toolbar", "aria-label": this.getAttribute("label") ?? "" },
      tool("pencil", "region_draw", "F2", () => this.#drawNew()), tool("maximize", "region_whole", "W", () => this.#addWhole()),
      this.undoButton, this.note = element("span", { class: "muted small", role: "status" }));
    this.rows = element("ol", { class: "regions__list", "data-reach": true, tabindex: "-1" });
    this.box = element("div", { class: "regions" }, this.tools, this.rows);
  }

  read() {
    const found = readRegions(this.area.value);
    this.isBroken = found === null;
    this.list = new RegionList(found ?? []);
    this.#closeRows();
    this.draw();
  }

  draw() {
    const { regions, activeId } = this.list;
    for (const [id, row] of this.#rows)
      if (!regions.some((one) => one.id === id)) {
        row.close();
        this.#rows.delete(id);
      }
    const rows = regions.map((region, at) => {
      const row = this.#rows.get(region.id) ?? this.#newRow(region.id);
      row.show(region, { at, count: regions.length, isActive: region.id === activeId, isReadOnly: this.isReadOnly });
      return row.node;
    });
    arrange(this.rows, rows.length ? rows : [this.#empty()]);
    this.undoButton.disabled = !this.list.canUndo || this.isReadOnly;
    for (const button of [...this.tools.querySelectorAll("button")].slice(0, 2)) button.disabled = this.isReadOnly || this.isBroken;
    this.#showOnImage();
  }

  #empty() {
    if (this.isBroken) return element("li", { class: "regions__empty" }, element("p", { class: "notice", "data-tone": "bad" }, t("regions_broken")), element("pre", {}, this.area.value));
    return element("li", { class: "regions__empty muted" }, element("p", {}, t("regions_empty")));
  }

  #newRow(id) {
    const row = new RegionRow({
      activate: (options) => this.#activate(id, options), latex: (latex) => this.#write(id, latex),
      move: (by) => this.#move(id, by), edit: () => this.#edit(id), remove: () => this.#remove(id),
    });
    this.#rows.set(id, row);
    return row;
  }

  #showOnImage() {
    const layer = this.viewer?.shapes;
    if (!layer?.image) return;
    const { regions, activeId, active } = this.list;
    layer.show("regions", regions.filter(({ polygon }) => polygon.length).map(({ id, polygon }, at) => ({ id, shape: "polygon", points: polygon, look: "region", label: at + 1, isActive: id === activeId })));
    const isChangeable = active && !this.isReadOnly && active.polygon.length >= 3;
    layer.handles(isChangeable ? active.polygon : null, { changed: (points) => this.#reshape(active.id, points) });
  }

  // -- what people do ------------------------------------------------------------------------------------------

  #activate(id, { focus = false, bring = false } = {}) {
    if (this.list.at(id) < 0) return;
    const isNew = this.list.activeId !== id;
    this.list.activeId = id;
    if (isNew) this.draw();
    this.#rows.get(id).node.scrollIntoView({ block: "nearest" });
    if (bring && this.list.active.polygon.length) this.viewer?.shapes.bring(this.list.active.polygon);
    if (focus) this.#rows.get(id).focus();
  }

  #drawNew() {
    if (this.isReadOnly || this.isBroken) return;
    this.viewer.shapes.draw({ shape: "polygon" }, { done: (points) => this.#add(points) });
  }

  #addWhole() {
    const size = this.viewer?.shapes.image;
    if (size && !this.isReadOnly && !this.isBroken) this.#add(wholeImage(size.width, size.height));
  }

  /** A finished outline opens its LaTeX: there is no outline without one. */
  #add(points) {
    const { id } = this.list.add(points);
    this.#changed();
    this.#activate(id, { focus: true });
  }

  #remove(id) {
    if (this.isReadOnly || this.list.at(id) < 0) return;
    const number = this.list.at(id) + 1;
    this.viewer?.shapes.stop();
    this.list.remove(id);
    this.#changed();
    this.#say(t("region_removed", { number }));
    this.undoButton.focus();
  }

  #move(id, by) {
    if (this.isReadOnly || !this.list.move(id, by)) return;
    this.#changed();
    this.#say(t("region_moved", { number: this.list.at(id) + 1, count: this.list.regions.length }));
  }

  #edit(id) {
    const region = this.list.regions[this.list.at(id)];
    if (!region || this.isReadOnly) return;
    this.#activate(id, { bring: true });
    this.viewer.shapes.edit(region.polygon, {
      changed: (points) => this.#reshape(id, points, { isStep: true }), ended: () => this.list.endMovement(),
    });
  }

  #reshape(id, points, { isStep = false } = {}) {
    this.list.setPolygon(id, points);
    if (!isStep) this.list.endMovement();
    this.#changed();
  }

  #write(id, latex) {
    this.list.setLatex(id, latex);
    this.#tell();
  }


  #insert(event) {
    const row = this.#rows.get(this.list.activeId);
    if (!row || this.isReadOnly) return;
    event.preventDefault();
    row.insert(event.detail.text);
  }

  #command(event) {
    const { command } = event.detail;
    if (event.defaultPrevented || !command.startsWith("region-")) return;
    const { activeId } = this.list;
    const acts = {
      "region-new": () => this.#drawNew(), "region-whole": () => this.#addWhole(), "region-undo": () => this.undo(),
      "region-edit": () => this.#edit(activeId), "region-remove": () => this.#remove(activeId),
      "region-earlier": () => this.#move(activeId, -1), "region-later": () => this.#move(activeId, 1),
      "region-next": () => this.#step(1), "region-previous": () => this.#step(-1),
    };
    event.preventDefault();
    acts[command]?.();
  }

  #step(by) {
    if (!this.list.regions.length) return;
    const from = this.list.activeId;
    const isInList = this.contains(document.activeElement);
    this.list.step(by);
    const next = this.list.activeId;
    this.list.activeId = from;
    this.#activate(next, { focus: isInList || document.activeElement === document.body, bring: true });
  }

  // -- reporting -------------------------------------------------------------------------------------------------

  #changed() {
    this.draw();
    this.#tell();
  }

  #tell() {
    this.put(this.#written);
    announce(this, "change", { text: this.text });
  }

  #say = (() => {
    const clear = whenQuiet(() => this.note.replaceChildren(), 8000);
    return (words) => {
      this.note.replaceChildren(words);
      clear();
    };
  })();
}

/** Puts nodes in order, touching only those that are out of place, so that an editor in use keeps the focus. */
function arrange(parent, nodes) {
  for (const node of [...parent.children]) if (!nodes.includes(node)) node.remove();
  nodes.forEach((node, at) => parent.children[at] !== node && parent.insertBefore(node, parent.children[at] ?? null));
}

customElements.define("ink-regions", InkRegions);
