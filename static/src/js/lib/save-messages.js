// What a work page says while it saves: the words of state wherever [data-save-state] is, and the panel of what went
// wrong, or came back, at [data-save-trouble].
import { element, icon } from "./dom.js";
import { t } from "./strings.js";

const icons = {
  unchanged: "circle", saved: "circle-check", editing: "pencil", saving: "loader-circle", offline: "wifi-off", invalid: "octagon-x", conflict: "git-compare",
  signed_out: "lock", lease_lost: "hourglass", closed: "lock", wrong_image: "image", not_yours: "ban", submitting: "send", waiting_image: "image",
};
const tones = { saved: "done", offline: "todo", conflict: "todo", signed_out: "todo", waiting_image: "todo", invalid: "bad", lease_lost: "bad", closed: "bad", wrong_image: "bad", not_yours: "bad" };
const signs = { bad: "octagon-x", todo: "triangle-alert", info: "info" };

/** The words of a state, as `look` has it: a saved page that was never saved looks unchanged. */
export function showState(state, look, words) {
  for (const place of document.querySelectorAll("[data-save-state]")) {
    place.className = "status save-state";
    place.dataset.tone = tones[look] ?? "";
    // Saved and Editing come and go all day: seen, not read aloud. Trouble is.
    place.setAttribute("aria-live", state in tones && state !== "saved" ? "polite" : "off");
    place.replaceChildren(icon(icons[look]), element("span", {}, words));
  }
}

export function button(words, onclick, name) {
  return element("button", { type: "button", class: "button button--small", onclick }, name ? icon(name) : null, words);
}

export class TroublePanel {
  // The page's own notices stand in the same place and are the server's to take away.
  #box = element("div", {});

  /** Good news stays until it is read; it is no trouble that a save would end. */
  get isNews() {
    return Boolean(this.#box.querySelector(":scope > [data-tone='info']"));
  }

  show(tone, title, words, actions = [], more = null) {
    const close = tone === "info" && button(t("close"), () => this.clear());
    this.#box.replaceChildren(element("section", { class: "notice", "data-tone": tone, role: tone === "info" ? "status" : "alert" }, icon(signs[tone]),
      element("div", { class: "notice__body" }, element("p", { class: "notice__title" }, title), element("p", {}, words), more,
        element("div", { class: "button-row" }, ...actions, close))));
    document.querySelector("[data-save-trouble]")?.append(this.#box);
  }

  clear() {
    this.#box.replaceChildren();
    this.#box.remove();
  }
}
