// <ink-version kind="latex | region | mask | order | structure" numbers='{"r1": 1}'?>
//   <code data-value>…</code><code data-other hidden>…</code>?
// </ink-version>
//
// One version of a disputed field as people see it: LaTeX drawn, with its source and what differs from the other one;
// an outline by its points (it is drawn on the image); a mask by its shape and reason; an order by numbers; a table's
// skeleton as a table. What cannot be read so is shown as written.
import { element } from "../lib/dom.js";
import { readMaskValue, readOrder, readRegionValue } from "../lib/field-values.js";
import { mathView } from "../lib/math.js";
import { skeletonOf } from "../lib/safe-table.js";
import { t } from "../lib/strings.js";

class InkVersion extends HTMLElement {
  connectedCallback() {
    if (this.view) return;
    const source = this.querySelector("[data-value]");
    if (!source) return;
    const other = this.querySelector("[data-other]")?.textContent;
    const view = this.#viewOf(this.getAttribute("kind"), source.textContent, other);
    if (!view) return;
    this.view = element("div", { class: "version" }, ...view);
    source.replaceWith(this.view);
  }

  #viewOf(kind, value, other) {
    if (kind === "latex") return [mathView(value), sourceOf(value, other)];
    if (kind === "structure") return listed(skeletonOf(value));
    if (kind === "order") return listed(orderView(readOrder(value), JSON.parse(this.getAttribute("numbers") ?? "{}")));
    if (kind === "mask") return maskView(readMaskValue(value));
    const region = readRegionValue(value);
    return region && [element("span", { class: "small muted" }, t("version_points", { count: region.points.length })), ...(region.latex === null ? [] : [mathView(region.latex), sourceOf(region.latex)])];
  }
}

const listed = (node) => node && [node];

function sourceOf(value, other) {
  if (other === undefined) return element("code", {}, value);
  return element("ink-diff", { class: "mono" }, element("span", { "data-old": true }, other), element("span", { "data-new": true }, value));
}

function orderView(keys, numbers) {
  return keys.length ? element("span", { class: "num" }, keys.map((key) => numbers[key] ?? key).join(" → ")) : null;
}

function maskView(mask) {
  return mask && [element("strong", { class: "small" }, t(`mask_${mask.shape}`)), " ", element("span", {}, mask.reason || t("mask_without_reason"))];
}

customElements.define("ink-version", InkVersion);
