// Masks over what nobody can read: a list of shapes with reasons; adding and removing can be taken back.
// Written as [{"id","shape","points","width"?,"reason"}]: evaluation/payloads/masks.py.
import { freshId } from "./regions.js";

export const maskMark = "⟦masked⟧";

/** Masks of a written list; null when it is none. */
export function readMasks(text) {
  if (!text.trim()) return [];
  try {
    const masks = JSON.parse(text);
    return Array.isArray(masks) && masks.every((one) => typeof one?.id === "string" && Array.isArray(one.points)) ? masks : null;
  } catch {
    return null;
  }
}

export const writeMasks = (masks) => JSON.stringify(masks.map(({ id, shape, points, width, reason }) => ({ id, shape, points, ...(shape === "brush" ? { width } : {}), reason })));

export class MaskList {
  #undo = [];

  constructor(masks = []) {
    this.masks = masks.map((mask) => ({ ...mask, reason: mask.reason ?? "" }));
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  add({ shape, points, width }) {
    const mask = { id: freshId(this.masks, "m"), shape, points, ...(shape === "brush" ? { width } : {}), reason: "" };
    this.masks.push(mask);
    this.#undo.push(() => (this.masks = this.masks.filter(({ id }) => id !== mask.id)));
    return mask;
  }

  remove(id) {
    const at = this.masks.findIndex((one) => one.id === id);
    if (at < 0) return;
    const [mask] = this.masks.splice(at, 1);
    this.#undo.push(() => this.masks.splice(at, 0, mask));
  }

  setReason(id, reason) {
    const mask = this.masks.find((one) => one.id === id);
    if (mask) mask.reason = reason;
  }

  undo() {
    this.#undo.pop()?.();
  }
}
