// One label on its way to the server, its text and its masks as one version: rest, single flight, versions, and a
// local copy until the server has it. Masks are the JSON text of the page's field; null where a page has none.
// No DOM here: the element gives a sender, a mirror, a clock and timers, and is informed of each state.
//
// States: saved, editing, saving, offline            work goes on
//         invalid                                    the server refuses this text; the next change tries again
//         conflict, signed_out                       the person must choose or sign in; typing is kept on the device
//         lease_lost, closed, wrong_image, not_yours nothing more can be saved here; the text stays on the device

export const finalStates = new Set(["lease_lost", "closed", "wrong_image", "not_yours"]);
const waitingStates = new Set(["conflict", "signed_out"]);

/** The masks a field holds, for the server to judge: text that is no JSON goes as it is. */
export function parsed(masks) {
  try {
    return JSON.parse(masks.trim() || "[]");
  } catch {
    return masks;
  }
}

function sameMasks(first, second) {
  return first === second || (first !== null && second !== null && JSON.stringify(parsed(first)) === JSON.stringify(parsed(second)));
}

export class SaveSession {
  #timer = null;
  #flight = null;
  #failures = 0;
  #sent = null;

  /**
   * @param {{text: string, masks?: string | null, version: number, imageHash: string,
   *   send: (body: object, options: object) => Promise<{status: number, data: object}>,
   *   mirror: {put: Function, clear: Function}, onState: Function, timers?: {setTimeout: Function, clearTimeout: Function}, restMs?: number,
   *   retryMs?: number[]}} options  `text` and `version` are what the server last stored.
   */
  constructor({ text, masks = null, version, imageHash, send, mirror, onState, timers = globalThis, restMs = 1000,
    retryMs = [2000, 5000, 15_000, 30_000] }) {
    this.text = text;
    this.masks = masks;
    this.version = version;
    this.imageHash = imageHash;
    this.send = send;
    this.mirror = mirror;
    this.onState = onState;
    this.timers = timers;
    this.restMs = restMs;
    this.retryMs = retryMs;
    this.storedText = text;
    this.storedMasks = masks;
    this.state = "saved";
  }

  get isDirty() {
    return !this.#isStored(this.text, this.masks);
  }

  get isOver() {
    return finalStates.has(this.state);
  }

  /** A change by the person. Kept on the device at once, sent after a rest. */
  edit(text, masks = this.masks) {
    if (text === this.text && masks === this.masks) return;
    this.text = text;
    this.masks = masks;
    if (!this.isDirty && !this.#flight && !waitingStates.has(this.state) && !this.isOver) {
      this.#rest(null);
      this.mirror.clear();
      this.#become("saved");
      return;
    }
    this.#keep();
    if (waitingStates.has(this.state) || this.isOver) return;
    if (!this.#flight && this.state !== "offline") this.#become("editing");
    if (!this.#flight) this.#rest(this.restMs);
  }

  /** Sends what is not stored yet and answers with the state after it. `leaving`: the page is going away. */
  async flush({ leaving = false } = {}) {
    this.#rest(null);
    if (leaving && this.#flight && this.isDirty) return this.#sendOnce({ leaving });
    while (this.#flight) await this.#flight;
    if (!this.isDirty || this.isOver || waitingStates.has(this.state)) return this.state;
    this.#flight = this.#sendOnce({ leaving });
    await this.#flight;
    this.#flight = null;
    if (this.isDirty && (this.state === "editing" || this.state === "saving")) this.#rest(this.restMs);
    return this.state;
  }

  /** The person's choice between two versions: "mine" saves over the newer one, "theirs" takes it. */
  async resolve(choice) {
    if (this.state !== "conflict") return this.state;
    const { version, text, masks = null } = this.newer;
    this.version = version;
    this.storedText = text;
    this.storedMasks = masks;
    if (choice === "theirs") Object.assign(this, { text, masks });
    this.#become("editing");
    if (this.isDirty) return this.flush();
    this.mirror.clear();
    this.#become("saved");
    return this.state;
  }

  /** Goes on after a sign-in or when the network is back. */
  resume() {
    if (this.isOver || this.state === "conflict") return this.state;
    this.#failures = 0;
    if (!this.isDirty) this.#become("saved");
    else if (this.state === "signed_out") this.#become("editing");
    return this.flush();
  }

  /** A text found on the device after the browser died. It goes on where it was when the server still has the
      version it builds on, or has just the text that was on its way then; else a person chooses. */
  adopt({ text, masks = this.masks, version, sent, sentMasks = this.storedMasks }) {
    if (this.#isStored(text, masks)) {
      this.mirror.clear();
      return "none";
    }
    this.text = text;
    this.masks = masks;
    if (version === this.version || this.#isStored(sent, sentMasks)) {
      this.#become("editing");
      this.#rest(this.restMs);
      return "restored";
    }
    this.#meetNewer({ version: this.version, text: this.storedText, masks: this.storedMasks });
    return "conflict";
  }

  /** What a heartbeat or a submit learned: same answers as a save. */
  hear({ status, data }) {
    if (status === 401) this.#become("signed_out", data);
    else if (status === 404) this.#become("not_yours", data);
    else if (status === 409) this.#refuse(data);
  }

  stop() {
    this.#rest(null);
  }

  async #sendOnce({ leaving }) {
    const sent = { text: this.text, masks: this.masks };
    this.#sent = sent;
    this.#keep();
    this.#become("saving");
    const body = { text: sent.text, ...(sent.masks === null ? {} : { masks: parsed(sent.masks) }), base_version: this.version, image_hash: this.imageHash };
    this.#take(sent, await this.send(body, { leaving }));
    return this.state;
  }

  #take(sent, { status, data }) {
    if (status === 200) this.#stored(sent, data);
    else if (status === 409 && data.kind === "newer_version" && data.stored_text === sent.text && sameMasks(this.#masksOf(data), sent.masks)) this.#stored(sent, data);
    else if (status === 422) this.#become("invalid", data);
    else if ([401, 404, 409].includes(status)) this.hear({ status, data });
    else this.#retryLater(status, data);
  }

  /** @param {{text: string, masks: string}} sent @param {{version: number, saved_at?: string}} reply */
  #stored(sent, { version, saved_at: savedAt }) {
    this.#failures = 0;
    this.version = version;
    this.storedText = sent.text;
    this.storedMasks = sent.masks;
    this.savedAt = savedAt;
    if (this.isDirty) {
      this.#keep();
      this.#become("editing");
    } else {
      this.mirror.clear();
      this.#become("saved");
    }
  }

  #keep() {
    const masks = this.masks === null ? {} : { masks: this.masks, sentMasks: this.#sent?.masks };
    this.mirror.put({ text: this.text, version: this.version, sent: this.#sent?.text ?? null, ...masks });
  }

  #refuse(data) {
    if (data.kind === "newer_version") this.#meetNewer({ ...data, text: data.stored_text, masks: this.#masksOf(data) });
    else this.#become(finalStates.has(data.kind) ? data.kind : "closed", data);
  }

  /** Both changed: only a person can say which text is right, unless both are the same. */
  /** @param {{version: number, text: string, masks: string, saved_at?: string}} newer */
  #meetNewer({ version, text, masks, saved_at: savedAt }) {
    if (text === this.text && sameMasks(masks, this.masks)) {
      this.#stored({ text, masks: this.masks }, { version, saved_at: savedAt });
      return;
    }
    this.newer = { version, text, ...(masks === null ? {} : { masks }) };
    this.#become("conflict", { version, text, masks, saved_at: savedAt });
  }

  #isStored(text, masks) {
    return text === this.storedText && sameMasks(masks, this.storedMasks);
  }

  /** The masks of an answer as the page's field holds them; what the server does not tell stays as it is. */
  #masksOf({ stored_masks: masks }) {
    return this.masks === null || masks === undefined ? this.masks : JSON.stringify(masks);
  }

  #retryLater(status, data) {
    const wait = this.retryMs[Math.min(this.#failures, this.retryMs.length - 1)];
    this.#failures += 1;
    this.#become("offline", { status, message: data?.message ?? "" });
    this.#rest(wait);
  }

  #rest(ms) {
    if (this.#timer !== null) this.timers.clearTimeout(this.#timer);
    this.#timer = ms === null ? null : this.timers.setTimeout(() => void this.flush(), ms);
  }

  #become(state, data = {}) {
    this.state = state;
    this.onState(state, data);
  }
}
