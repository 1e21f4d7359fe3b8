// <ink-masks viewer="page-image" label purpose="redact"? read-only?><textarea name="masks">[…]</textarea><pre data-old hidden>[…]</pre>?</ink-masks>
//
// What nobody can read is masked, with a reason: box, polygon or brush, hatched on the image, hidden to see beneath.
// The textarea holds the JSON of lib/masks.js and is in step after every change (an input event that bubbles); a list
// set from outside comes in by an input or ink:set event on it. The mask's mark goes into the text at the caret: an
// `ink:insert {text}` event on the form's textarea called "text", which its editor takes with preventDefault. Where
// [data-old] holds the list a reviewer was given, each change against it is said as such. To redact is to do the same
// with names: other words, no reason that must be given, no mark, as there is no text yet.
import { announce, element, icon, partner, whenQuiet } from "../lib/dom.js";
import { MaskList, maskMark, readMasks, writeMasks } from "../lib/masks.js";
import { OverTextarea } from "../lib/over-textarea.js";
import { t } from "../lib/strings.js";

const shapeIcons = { box: "square-dashed", polygon: "pentagon", brush: "brush" };

const maskWords = { about: "mask_about", show: "mask_show", reason: "mask_reason", hint: "mask_reason_hint", name: "mask_name", broken: "mask_broken" };
const redactWords = { about: "redact_about", show: "redact_show", reason: "redact_reason", hint: "redact_reason_hint", name: "redact_name", broken: "redact_broken" };

class InkMasks extends OverTextarea {
  #isHidden = false;

  listen(options) {
    document.addEventListener("ink:command", (event) => this.#command(event), options);
    document.addEventListener("ink:change", whenQuiet(() => this.#hint(), 300), options);
    document.addEventListener("ink:drawn", (event) => event.target === this.viewer && this.#showOnImage(), options);
  }

  close() {
    this.viewer?.shapes?.show("masks", []);
    this.list = undefined;
  }

  get viewer() {
    return partner(this, "viewer");
  }

  get isRedacting() {
    return this.getAttribute("purpose") === "redact";
  }

  get isReadOnly() {
    return super.isReadOnly || this.list === null;
  }

  undo() {
    this.list.undo();
    this.#changed();
  }

  #words(key, values) {
    return t(this.isRedacting ? redactWords[key] : maskWords[key], values);
  }

  // -- building ------------------------------------------------------------------------------------------------

  build() {
    const given = this.querySelector("[data-old]");
    this.given = given && readMasks(given.textContent);
    const tool = (name, words, chord, act) => element("button", { type: "button", class: "button button--small", title: chord, onclick: act }, icon(name), element("span", {}, words));
    this.drawButtons = [tool(shapeIcons.box, t("mask_box"), "Shift+F2", () => this.#drawNew("box")), tool(shapeIcons.polygon, t("mask_polygon"), "Shift+M", () => this.#drawNew("polygon")),
      tool(shapeIcons.brush, t("mask_brush"), "B", () => this.#drawNew("brush"))];
    this.width = element("input", { type: "range", min: 1, max: 12, value: 4 });
    this.showButton = tool("eye", this.#words("show"), "H", () => this.#toggle());
    this.undoButton = tool("undo-2", t("region_undo"), null, () => this.undo());
    this.rows = element("ol", { class: "masks__list" });
    this.hint = element("p", { class: "notice small", "data-tone": "todo", role: "status", hidden: true });
    this.box = element("div", { class: "stack masks" },
      element("p", { class: "muted small" }, this.#words("about")),
      element("div", { class: "toolbar", role: "toolbar", "aria-label": this.getAttribute("label") ?? "" }, ...this.drawButtons,
        element("label", { class: "small masks__width" }, element("span", {}, t("mask_width")), this.width), this.undoButton, this.showButton),
      this.rows, this.hint);
  }

  read() {
    const found = readMasks(this.area.value);
    this.list = found && new MaskList(found);
    this.draw();
  }

  draw() {
    const masks = this.list?.masks ?? [];
    this.rows.replaceChildren(...masks.map((mask, at) => this.#row(mask, at + 1)));
    if (this.list === null) this.rows.replaceChildren(element("li", { class: "notice", "data-tone": "bad" }, this.#words("broken")));
    const gone = (this.given ?? []).filter(({ id }) => !masks.some((one) => one.id === id));
    this.rows.append(...gone.map((mask) => element("li", { class: "mask muted small" }, icon("trash-2"), t("mask_removed", { shape: t(`mask_${mask.shape}`), reason: mask.reason || t("mask_without_reason") }))));
    this.undoButton.disabled = this.isReadOnly || !this.list.canUndo;
    this.showButton.hidden = !masks.length;
    this.showButton.setAttribute("aria-pressed", !this.#isHidden);
    for (const button of this.drawButtons) button.disabled = this.isReadOnly;
    for (const place of document.querySelectorAll("[data-mask-count]")) place.textContent = masks.length || "";
    for (const place of document.querySelectorAll("[data-seen-more]")) place.hidden = !masks.length;
    this.#hint();
    this.#showOnImage();
  }

  /** A mask over writing has its mark in the text, and a mark its mask; where it is otherwise, handing in asks why. */
  #hint() {
    const text = this.area.form?.elements.namedItem("text");
    const [isMasked, isMarked] = [Boolean(this.list?.masks.length), Boolean(text?.value.includes(maskMark))];
    this.hint.hidden = !text || isMasked === isMarked;
    if (!this.hint.hidden) this.hint.textContent = t(isMasked ? "mask_unmarked" : "mask_missing", { mark: maskMark });
  }

  #row(mask, number) {
    const reason = element("input", { type: "text", value: mask.reason, maxlength: 500, placeholder: this.#words("hint"), "aria-label": this.#words("reason", { number }), "data-mask": mask.id, autocomplete: "off", disabled: this.isReadOnly,
      oninput: () => {
        this.list.setReason(mask.id, reason.value);
        this.#tell();
      } });
    const act = (name, key, call) => element("button", { type: "button", class: "button button--quiet button--small", "aria-label": `${t(key)}: ${this.#words("name", { number })}`, disabled: this.isReadOnly, onclick: call }, icon(name), t(key));
    return element("li", { class: "mask" }, element("button", { type: "button", class: "mask__name button button--quiet button--small", onclick: () => this.viewer?.shapes.bring(mask.points) }, icon(shapeIcons[mask.shape] ?? "square-dashed"), this.#words("name", { number })),
      this.#change(mask), reason, !this.isRedacting && act("text-cursor-input", "mask_insert", () => this.#insertMark()), act("trash-2", "remove", () => this.#remove(mask.id)));
  }

  #change(mask) {
    if (!this.given) return null;
    const before = this.given.find(({ id }) => id === mask.id);
    const key = !before ? "mask_new" : writeMasks([before]) !== writeMasks([mask]) && "mask_changed";
    return key && element("span", { class: "chip", "data-tone": "info" }, t(key));
  }

  #showOnImage() {
    const layer = this.viewer?.shapes;
    if (!layer?.image) return;
    const masks = this.#isHidden ? [] : (this.list?.masks ?? []);
    layer.show("masks", masks.map(({ id, shape, points, width }, at) => ({ id, shape, points, width, look: "mask", label: this.isRedacting ? at + 1 : `M${at + 1}` })));
  }

  // -- what people do ------------------------------------------------------------------------------------------

  #drawNew(shape) {
    const layer = this.viewer?.shapes;
    if (this.isReadOnly || !layer?.image) return;
    this.#isHidden = false;
    const width = Math.max(4, Math.round((layer.image.width * this.width.value) / 200));
    layer.draw({ shape, width }, { done: (points) => this.#add({ shape, points, width }) });
  }

  #add(shape) {
    const { id } = this.list.add(shape);
    this.#changed();
    this.closest("ink-tabs")?.show(this.closest("[role=tabpanel]")?.id);
    this.querySelector(`[data-mask="${id}"]`)?.focus();
  }

  #remove(id) {
    this.list.remove(id);
    this.#changed();
    this.undoButton.focus();
  }

  #toggle() {
    this.#isHidden = !this.#isHidden;
    this.draw();
  }

  /** The mark goes where the caret stands in the text, and the person with it. */
  #insertMark() {
    const text = this.area.form?.elements.namedItem("text");
    if (!text || this.isReadOnly) return;
    const home = text.closest("[role=tabpanel]");
    if (home) home.closest("ink-tabs")?.show(home.id);
    announce(text, "insert", { text: maskMark });
  }

  #command(event) {
    const { command } = event.detail;
    if (event.defaultPrevented || !command.startsWith("mask-")) return;
    const acts = {
      "mask-box": () => this.#drawNew("box"), "mask-polygon": () => this.#drawNew("polygon"), "mask-brush": () => this.#drawNew("brush"),
      "mask-show": () => this.#toggle(), "mask-mark": () => this.#insertMark(),
    };
    event.preventDefault();
    acts[command]?.();
  }

  #changed() {
    this.draw();
    this.#tell();
  }

  #tell() {
    if (this.list !== null) this.put(writeMasks(this.list.masks));
  }
}

customElements.define("ink-masks", InkMasks);
