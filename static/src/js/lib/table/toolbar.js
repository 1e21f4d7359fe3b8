// The buttons over the grid: rows and columns in a menu each, cells and the ways back beside them. Every button has a
// word; one that cannot be done where the caret stands is off.
import { element, icon } from "../dom.js";
import { t } from "../strings.js";
import { commands, menus } from "./commands.js";

export class Toolbar {
  #buttons = [];

  /** `run(name)` does a command, `can(name)` says whether it can be done now; `more` are buttons for the end. */
  constructor({ run, can, more }) {
    this.run = run;
    this.can = can;
    this.node = element("div", { class: "toolbar table-tools", role: "toolbar", "aria-label": t("table_tools") },
      this.#menu("row"), this.#menu("column"), element("span", { class: "toolbar__gap" }),
      ...["header", "merge", "split"].map((name) => this.#button(name)), element("span", { class: "toolbar__gap" }),
      this.#plain("undo", "undo-2"), this.#plain("redo", "redo-2"), ...more);
  }

  /** Turns buttons on and off for the place the caret has now. */
  update() {
    for (const { name, node } of this.#buttons) node.setAttribute("aria-disabled", !this.can(name));
  }

  #menu(name) {
    return element("details", { class: "menu" },
      element("summary", { class: "button button--quiet button--small" }, icon(name === "row" ? "rows-3" : "columns-3"), element("span", {}, t(`table_${name}`)), icon("chevron-down")),
      element("div", { class: "menu__panel table-tools__menu" }, ...menus[name].map((one) => this.#button(one))));
  }

  #button(name) {
    return this.#plain(name, commands[name][0]);
  }

  #press(node, name) {
    if (node.getAttribute("aria-disabled") === "true") return;
    node.closest("details")?.removeAttribute("open");
    this.run(name);
  }

  #plain(name, sign) {
    const isBack = name === "undo" || name === "redo";
    const node = element("button", { type: "button", class: `button button--quiet button--small${isBack ? " table-tools__back" : ""}`, title: isBack ? t(`table_${name}`) : null, onclick: () => this.#press(node, name) },
      icon(sign), element("span", {}, t(`table_${name}`)));
    // The caret stays where it is while a button is pressed by pointer.
    node.addEventListener("mousedown", (event) => event.preventDefault());
    this.#buttons.push({ name, node });
    return node;
  }
}
