// What a viewer keeps beside the image: how each image was last looked at in this tab, and OpenSeadragon's style.
import { element } from "./dom.js";

/** OpenSeadragon adds a style of its own to the page, against the policy, unless it finds it there already; what it
    would say (no focus ring on touch screens) is not wanted either. */
export function barOwnStyle() {
  const name = "data-openseadragon-mobile-css";
  if (document.querySelector(`style[${name}]`)) return;
  document.head.append(element("style", { [name]: true, nonce: document.querySelector("script[nonce]")?.nonce }));
}

export function recalledView(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "{}");
  } catch {
    return {};
  }
}

export function keepView(key, view) {
  try {
    sessionStorage.setItem(key, JSON.stringify(view));
  } catch {
    // Barred storage: the view lasts as long as the page.
  }
}
