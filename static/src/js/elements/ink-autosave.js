// <ink-autosave key="assignment" save-url heartbeat-url login-url next-url? editor="id" viewer="id"? saved-at? >
//   <form method="post" action="submit address">
//     hidden: base_version, image_hash, idempotency_key, csrfmiddlewaretoken; an <ink-editor> or <textarea name="text">
//     and perhaps a <textarea name="masks">, inside or, pointing to the form by form="id", elsewhere in the element.
//     Editors over a textarea tell a change by a bubbling "input" event of it; what is put into it from here, a text
//     found on the device or taken from the server, is passed to them by an ink:set event.
//     <textarea data-stored data-masks? hidden>…</textarea>?   what the server has, where the page shows a text it could not store
//     <button class="button button--primary">Submit</button>
//   </form>
// </ink-autosave>   and, anywhere on the page, [data-save-state] for the words and [data-save-trouble] for the panel
//
// Nothing typed is lost: lib/saving.js says when to send, lib/mirror.js keeps a copy on the device. This file turns
// that into words, and guards the submit: not before the image is on the screen, not twice, not without the last
// letter; from the press to the answer its editors are read-only. fires ink:save-state {state}.
import { announce, element } from "../lib/dom.js";
import { holdEditors } from "../lib/editor-lock.js";
import { sendJson } from "../lib/http.js";
import { otherForm, submitButton } from "../lib/focused-form.js";
import { signInHere } from "../lib/login.js";
import { Mirror } from "../lib/mirror.js";
import { TroublePanel, button, showState } from "../lib/save-messages.js";
import { SaveSession, finalStates, parsed } from "../lib/saving.js";
import { clockTime, t } from "../lib/strings.js";

class InkAutosave extends HTMLElement {
  #stop = new AbortController();
  #session;
  #trouble = new TroublePanel();
  #isSubmitting = false;
  #mayPass = false;
  #wantsSubmit = false;

  connectedCallback() {
    this.form = this.querySelector("form");
    if (!this.form || this.#session) return;
    this.#stop = new AbortController();
    this.mirror = new Mirror(this.getAttribute("key"));
    this.#session = new SaveSession({
      text: this.querySelector("[data-stored]")?.value ?? this.#text(), masks: this.querySelector("[data-stored]")?.dataset.masks ?? this.#masks(), version: Number(this.#input("base_version").value || 0), imageHash: this.#input("image_hash")?.value ?? "",
      send: async (body, options) => {
        await this.closest("ink-session")?.seated; // a save that comes before its tab has the assignment would be refused
        return sendJson("PUT", this.getAttribute("save-url"), body, options);
      },
      mirror: this.mirror, onState: (state, data) => this.#show(state, data),
    });
    this.#session.savedAt = this.getAttribute("saved-at");
    const key = this.#input("idempotency_key");
    if (key && !key.value) key.value = randomKey();
    this.#listen();
    this.#show("saved");
    void this.#restore();
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#session?.stop();
    clearInterval(this.heartbeat);
  }

  #listen() {
    const options = { signal: this.#stop.signal };
    this.addEventListener("ink:change", (event) => this.#isEditor(event.target) && this.#session.edit(event.detail.text, this.#masks()), options);
    this.addEventListener("input", (event) => this.#isOwnField(event.target) && this.#session.edit(this.#text(), this.#masks()), options);
    this.form.addEventListener("submit", (event) => this.#onSubmit(event), options);
    // Only buttons and Ctrl+Enter submit; Enter in a one-line field does nothing.
    this.addEventListener("keydown", (event) => event.key === "Enter" && event.target.matches("input:not([type=submit], [type=button])") && event.preventDefault(), options);
    document.addEventListener("ink:command", (event) => this.#command(event), options);
    document.addEventListener("ink:drawn", () => this.#session.state === "saved" && !this.#isSubmitting && this.#show("saved"), options);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#leave() : void this.#beat()), options);
    window.addEventListener("pagehide", () => this.#leave(), options);
    window.addEventListener("beforeunload", (event) => {
      this.#leave();
      if (this.#session.isDirty && !this.mirror.isReliable && !this.#mayPass) event.preventDefault();
    }, options);
    window.addEventListener("online", () => this.#session.state === "offline" && void this.#session.resume(), options);
    // A page taken back from the browser's store shows an old form: ask the server anew.
    window.addEventListener("pageshow", (event) => event.persisted && location.reload(), options);
    this.heartbeat = setInterval(() => !document.hidden && void this.#beat(), 1000 * Number(this.getAttribute("heartbeat-seconds") ?? 60));
  }

  async #restore() {
    const refused = this.querySelector("[data-stored]");
    if (refused) {
      this.#session.adopt({ text: this.#text(), masks: this.#masks(), version: Number(refused.dataset.basedOn ?? this.#session.version) });
      return;
    }
    const row = await this.mirror.get();
    if (!row || this.#session.isDirty) return;
    const outcome = this.#session.adopt(row);
    if (outcome === "none") return;
    this.#setContent();
    if (outcome === "restored") this.#trouble.show("info", t("restored_title"), t("restored_body", { time: clockTime(new Date(row.at)) }), this.#undoButton());
  }

  // -- text ----------------------------------------------------------------------------------------------------

  /** The editor of lines around the text's own field; other structures have editors that tell by the field alone. */
  get #editor() {
    return this.#input("text")?.closest("ink-editor") ?? null;
  }

  #isEditor = (node) => node.localName === "ink-editor" && node === this.#editor;

  #isOwnField = (node) => (node === this.#input("text") && !this.#editor) || node === this.#input("masks");

  #text() {
    return this.#editor?.text ?? this.#input("text").value;
  }

  #masks() {
    return this.#input("masks")?.value ?? null;
  }

  /** Shows what the session holds. */
  #setContent() {
    const { text, masks } = this.#session;
    if (this.#editor) this.#editor.setText(text);
    else fill(this.#input("text"), text);
    if (masks !== null) fill(this.#input("masks"), masks);
  }

  #undoButton() {
    return this.#editor ? [button(t("restored_undo"), () => this.#undo())] : [];
  }

  #undo() {
    this.#editor?.undo();
    this.#trouble.clear();
  }

  #input(name) {
    return this.form.elements.namedItem(name);
  }

  // -- words of state ------------------------------------------------------------------------------------------

  #show(state, data = {}) {
    this.dataset.state = state;
    this.#input("base_version").value = this.#session?.version ?? this.#input("base_version").value;
    const look = state === "saved" && !this.#session?.savedAt ? "unchanged" : state;
    showState(state, look, this.#words(look));
    if (finalStates.has(state)) holdEditors(this.form);
    this.#explain(state, data);
    announce(this, "save-state", { state });
  }

  #words(state) {
    const at = this.#session?.savedAt;
    if (state === "saved") return t("state_saved", { time: clockTime(new Date(at)) });
    if (state === "offline" && !this.mirror.isReliable) return t("state_offline_unkept");
    return t(`state_${state}`);
  }

  #explain(state, data) {
    const copy = () => button(t("copy_text"), () => navigator.clipboard?.writeText(this.#text()), "copy");
    const next = this.getAttribute("next-url");
    const goOn = next ? [element("a", { class: "button button--small", href: next }, t("go_on"))] : [];
    if (state === "conflict") this.#showVersions(data);
    else if (state === "signed_out") void this.#signIn(data);
    else if (state === "offline" && data.status === 507) this.#trouble.show("todo", t("disk_full_title"), [data.message, t("disk_full_body")].join(" "));
    else if (state === "invalid") this.#trouble.show("bad", t("invalid_title"), data.message || t("invalid_body"));
    else if (finalStates.has(state)) this.#trouble.show("bad", t(`${state}_title`), [data.message, t(`${state}_body`)].filter(Boolean).join(" "), [copy(), ...goOn]);
    else if (["saved", "saving"].includes(state) && !this.#trouble.isNews) this.#trouble.clear();
  }

  #showVersions({ version, text, masks }) {
    const count = (listed) => parsed(listed ?? "").length ?? 0;
    const hasOtherMasks = masks !== null && masks !== this.#masks();
    const diff = element("ink-diff", { lines: true }, element("div", { "data-old": true }, text), element("div", { "data-new": true }, this.#text()));
    this.#trouble.show("todo", t("conflict_title"), t("conflict_body"), [
      button(t("conflict_mine"), () => void this.#session.resolve("mine")),
      button(t("conflict_theirs"), () => this.#takeTheirs()),
    ], element("details", { open: true }, element("summary", {}, t("conflict_compare", { version })),
      hasOtherMasks ? element("p", { class: "small" }, t("conflict_masks", { mine: count(this.#masks()), theirs: count(masks) })) : null, diff));
  }

  async #takeTheirs() {
    await this.#session.resolve("theirs");
    this.#setContent();
    this.#trouble.show("info", t("theirs_title"), t("theirs_body"), this.#undoButton());
  }

  // -- session and lease ---------------------------------------------------------------------------------------

  async #signIn(data = {}) {
    const url = data.login_url || this.getAttribute("login-url");
    const isSignedIn = await signInHere(url);
    if (!isSignedIn) {
      this.#trouble.show("todo", t("signed_out_title"), t("signed_out_kept"), [button(t("sign_in"), () => void this.#signIn(data))]);
      return;
    }
    this.#trouble.clear();
    await this.#session.resume();
    if (this.#wantsSubmit && this.#session.state === "saved") void this.#submit(this.submitter);
  }

  async #beat() {
    const url = this.getAttribute("heartbeat-url");
    if (!url || this.#session.isOver || this.#mayPass) return { status: 200 };
    const answer = await sendJson("POST", url, {});
    if (!this.#mayPass) this.#session.hear(answer);
    return answer;
  }

  #leave() {
    this.mirror.hurry();
    if (!this.#mayPass && this.#session.isDirty) void this.#session.flush({ leaving: true });
  }

  // -- submit --------------------------------------------------------------------------------------------------

  #command(event) {
    const { command } = event.detail;
    if (event.defaultPrevented || !["submit", "save"].includes(command)) return;
    event.preventDefault();
    const other = command === "submit" && otherForm(event.target, this.form);
    if (command === "save") void this.#session.flush();
    else if (other) other.requestSubmit(submitButton(other));
    else this.form.requestSubmit([...this.form.elements].find((node) => node.matches("button.button--primary")));
  }

  #onSubmit(event) {
    if (this.#mayPass) return;
    event.preventDefault();
    void this.#submit(event.submitter);
  }

  async #submit(submitter) {
    if (this.#isSubmitting || submitter?.getAttribute("aria-disabled") === "true" || this.#session.isOver) return;
    const isOther = submitter?.hasAttribute("formaction");
    if (!isOther && !this.#isImageDrawn()) {
      this.#show("waiting_image");
      return;
    }
    this.#isSubmitting = true;
    this.#wantsSubmit = true;
    this.submitter = submitter;
    submitter?.setAttribute("aria-busy", "true");
    const giveBack = holdEditors(this.form);
    const isReady = await this.#isReadyToSubmit();
    // Where nothing was left to save no time has passed, and a form that still tells of its submit takes no other.
    await new Promise((resolve) => setTimeout(resolve));
    this.#isSubmitting = false;
    submitter?.removeAttribute("aria-busy");
    if (!isReady) {
      if (!this.#session.isOver) giveBack();
      return;
    }
    this.#wantsSubmit = false;
    this.#input("base_version").value = this.#session.version;
    this.#input("text").value = this.#text();
    this.#mayPass = true;
    if (submitter?.dataset.confirm) submitter.dataset.confirmed = "yes"; // asked before the text was saved
    this.#show("submitting");
    this.form.requestSubmit(submitter ?? undefined);
  }

  /** The text is stored, the session and the lease stand: what is left is one small request that can be repeated. */
  async #isReadyToSubmit() {
    if ((await this.#session.flush()) !== "saved") return false;
    const answer = await this.#beat();
    if (answer.status === 200) return this.#session.state === "saved";
    if (answer.status === 0 || answer.status >= 500) this.#trouble.show("todo", t("submit_offline_title"), t("submit_offline_body"));
    return false;
  }

  #isImageDrawn() {
    const viewer = document.getElementById(this.getAttribute("viewer") ?? "");
    return !viewer || (viewer.isDrawn && viewer.getAttribute("image-hash") === (this.#input("image_hash")?.value ?? null));
  }
}

/** A new value for a field, passed to the editor that stands over it. */
function fill(field, value) {
  if (!field) return;
  field.value = value;
  field.dispatchEvent(new CustomEvent("ink:set", { bubbles: true }));
}

function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

customElements.define("ink-autosave", InkAutosave);
