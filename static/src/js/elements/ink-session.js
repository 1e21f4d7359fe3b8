// <ink-session session signs-url session-url remaining? word-hide word-show word-left word-over word-again>
//   … an ink-autosave with the form#submission, and a [data-clock] …
// </ink-session>
//
// The running page of a session: it takes the tab_token, gives signs of life with what happened since the last, shows the
// server's clock, and at its end submits the text of the editor. The clock of the device is never asked:
// seconds are counted from the page's start and corrected by every reply of the server.
import { element } from "../lib/dom.js";
import { holdEditors } from "../lib/editor-lock.js";
import { csrfToken, sendJson } from "../lib/http.js";

const everyMs = 5000;
const listenMs = 250;
const burst = 20; // characters in one go that nobody types

class InkSession extends HTMLElement {
  #events = [];
  #isOver = false;
  #isHidden = false;
  #stop = new AbortController();

  connectedCallback() {
    this.form = this.querySelector("form#submission");
    if (!this.form) return;
    this.began = performance.now();
    this.left = this.hasAttribute("remaining") ? Number(this.getAttribute("remaining")) : null;
    this.leftAt = this.began;
    this.#listen();
    this.#drawClock();
    this.ticking = setInterval(() => this.#tick(), 200);
    this.seated = this.#begin(); // what must not come before the tab_token is taken waits for this
  }

  disconnectedCallback() {
    this.#stop.abort();
    clearInterval(this.ticking);
    clearInterval(this.beating);
    this.channel?.close();
  }

  async #begin() {
    this.isAlone = await this.#isOnlyTab();
    if (this.isAlone) this.form.append(element("input", { type: "hidden", name: "alone", value: "yes" }));
    await this.#report();
    this.beating = setInterval(() => void this.#report(), everyMs);
  }

  /** Asks the other tabs of this browser; one that is working answers. */
  #isOnlyTab() {
    this.channel = new BroadcastChannel(`ink-session-${this.getAttribute("session")}`);
    return new Promise((resolve) => {
      this.channel.onmessage = ({ data }) => {
        if (data === "who" && !this.#isOver) this.channel.postMessage("here");
        if (data === "here") resolve(false);
      };
      this.channel.postMessage("who");
      setTimeout(() => resolve(true), listenMs);
    });
  }

  // -- what happens --------------------------------------------------------------------------------------------

  #listen() {
    const options = { signal: this.#stop.signal };
    this.addEventListener("input", () => this.#first(), options);
    this.addEventListener("ink:change", () => this.#first(), options);
    this.addEventListener("paste", (event) => this.#note("paste", event.clipboardData?.getData("text").length), { ...options, capture: true });
    this.addEventListener("drop", (event) => this.#note("drop", event.dataTransfer?.getData("text").length), { ...options, capture: true });
    this.addEventListener("beforeinput", (event) => this.#weigh(event), { ...options, capture: true });
    // What happened since the last report goes with the submission itself: afterwards the page is closed.
    this.form.addEventListener("formdata", ({ formData }) => formData.set("events", JSON.stringify(this.#since())), options);
    window.addEventListener("blur", () => this.#leave(), options);
    window.addEventListener("focus", () => this.#return(), options);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#leave() : this.#return()), options);
    // A page that goes before it has taken the tab_token has nothing to tell, and must not look like a second one.
    window.addEventListener("pagehide", () => this.isAlone !== undefined && void this.#report({ leaving: true }), options);
  }

  #first() {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.#note("first_key");
  }

  #weigh(event) {
    const isDictated = ["insertFromDictation", "insertReplacementText", "insertFromYank"].includes(event.inputType);
    const size = event.data?.length ?? 0;
    if (isDictated || (event.inputType.startsWith("insert") && !event.isComposing && size > burst)) this.#note("burst", size);
  }

  #leave() {
    if (this.isAway) return;
    this.isAway = true;
    this.#note("blur");
  }

  #return() {
    if (!this.isAway) return;
    this.isAway = false;
    this.#note("focus");
    void this.#report();
  }

  #note(kind, size) {
    const key = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#events.push({ kind, key, at: performance.now(), ...(Number.isInteger(size) ? { size } : {}) });
  }

  #since() {
    const now = performance.now();
    return this.#events.map(({ at, ...event }) => ({ ...event, ago_ms: Math.round(now - at) }));
  }

  async #report({ leaving = false } = {}) {
    if (this.#isOver) return;
    const sent = [...this.#events];
    const body = { events: this.#since(), key: this.form.elements.namedItem("image_hash").value, alone: this.isAlone ?? false };
    const { status, data } = await sendJson("POST", this.getAttribute("signs-url"), body, { leaving });
    if (status === 200) this.#hear(sent, data);
    else if (status === 409) this.#refuse(data.message);
  }

  #hear(sent, { remaining, over }) {
    this.#events = this.#events.filter((event) => !sent.includes(event));
    if (over) {
      this.#goOn();
      return;
    }
    if (remaining === null || remaining === undefined) return;
    this.left = remaining;
    this.leftAt = performance.now();
  }

  #refuse(words) {
    this.#isOver = true;
    clearInterval(this.beating);
    clearInterval(this.ticking);
    this.replaceChildren(element("section", { class: "notice", "data-tone": "bad", role: "alert" }, element("div", { class: "notice__body" }, element("p", {}, words),
      element("p", {}, element("a", { class: "button button--small", href: this.getAttribute("session-url") }, this.getAttribute("word-again"))))));
  }

  // -- the clock -----------------------------------------------------------------------------------------------

  #seconds() {
    const passed = (performance.now() - this.leftAt) / 1000;
    return this.left === null ? (performance.now() - this.began) / 1000 : Math.max(this.left - passed, 0);
  }

  #drawClock() {
    const place = this.querySelector("[data-clock]");
    if (!place) return;
    this.face = element("span", { class: "num" });
    place.replaceChildren(this.face);
    if (this.left !== null) {
      place.append(` ${this.getAttribute("word-left")}`);
      return;
    }
    // Without a limit the clock is a matter of taste.
    this.toggle = element("button", { type: "button", class: "button button--quiet button--small", onclick: () => this.#hide(!this.#isHidden) });
    place.append(" ", this.toggle);
    this.#hide(false);
  }

  #hide(isHidden) {
    this.#isHidden = isHidden;
    this.face.hidden = isHidden;
    this.toggle.textContent = this.getAttribute(isHidden ? "word-show" : "word-hide");
  }

  #tick() {
    if (this.#isOver || !this.face) return;
    const seconds = Math.ceil(this.#seconds());
    const words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (this.face.textContent !== words) this.face.textContent = words;
    if (this.left !== null && this.#seconds() <= 0) void this.#ring();
  }

  /** Time is up: submit what stands there, as often as it takes to hear an answer, and go on. */
  async #ring() {
    this.#isOver = true;
    this.face.textContent = this.getAttribute("word-over");
    holdEditors(this.form);
    const body = new FormData(this.form);
    body.set("idempotency_key", this.form.elements.namedItem("idempotency_key").value);
    for (;;) {
      try {
        const answer = await fetch(this.form.action, { method: "POST", body, credentials: "same-origin", redirect: "manual", headers: { "X-CSRFToken": csrfToken() } });
        if (answer.type === "opaqueredirect" || answer.status < 500) break;
      } catch {
        // No connection: the server has the last save, and closes the page by its own clock.
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    this.#goOn();
  }

  #goOn() {
    this.#isOver = true;
    location.replace(this.getAttribute("session-url"));
  }
}

customElements.define("ink-session", InkSession);
