// Small helpers for building nodes; text is always set as text, never parsed as HTML.

/** element("button", {class: "button", disabled: true}, "words", otherNode) */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value == null) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null && child !== false));
  return node;
}

/** An icon of the sprite; hidden from screen readers, since a word always stands beside it. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  const sprite = document.querySelector('meta[name="ink-icons"]')?.content ?? "";
  use.setAttribute("href", `${sprite}#${name}`);
  svg.append(use);
  return svg;
}

/** Fires a bubbling event whose name starts with "ink:"; false when a listener took it with preventDefault. */
export function announce(target, name, detail = {}) {
  return target.dispatchEvent(new CustomEvent(`ink:${name}`, { bubbles: true, cancelable: true, detail }));
}

/** The element that attribute `for` names; null while the page does not have it. */
export function partner(node, attribute = "for") {
  const id = node.getAttribute(attribute);
  return id ? document.getElementById(id) : null;
}

/** Runs `call` once things have been quiet for `ms`. */
export function whenQuiet(call, ms) {
  let timer;
  const later = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), ms);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** Opens a <dialog> over the page; it leaves the page again when it is closed. */
export function openDialog(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove(), { once: true });
  dialog.showModal();
  return dialog;
}
