// The regions of a formula page: a list in reading order, each one outline and one LaTeX; every change of the list
// or of an outline can be taken back. LaTeX has the editor's own undo and is never taken back from here.
//
// Written as {"regions":[{"id","polygon","latex"}]}, nothing for no region: evaluation/payloads/formula.py.

/** Regions of a written page; null when it is none. */
export function readRegions(text) {
  if (!text.trim()) return [];
  try {
    const { regions } = JSON.parse(text);
    const areRegions = Array.isArray(regions) && regions.every((one) => typeof one?.id === "string" && Array.isArray(one.polygon));
    return areRegions ? regions.map(({ id, polygon, latex }) => ({ id, polygon, latex: String(latex ?? "") })) : null;
  } catch {
    return null;
  }
}

export function writeRegions(regions) {
  return regions.length ? JSON.stringify({ regions: regions.map(({ id, polygon, latex }) => ({ id, polygon, latex })) }) : "";
}

/** A short name that no shape of the list has. */
export function freshId(taken, letter) {
  let number = taken.length + 1;
  while (taken.some(({ id }) => id === letter + number)) number += 1;
  return letter + number;
}

export class RegionList {
  #undo = [];

  constructor(regions = []) {
    this.regions = regions;
    this.activeId = regions[0]?.id ?? null;
  }

  get active() {
    return this.regions.find(({ id }) => id === this.activeId) ?? null;
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  at(id) {
    return this.regions.findIndex((one) => one.id === id);
  }

  /** A new region stands last and is the active one. */
  add(polygon) {
    const region = { id: freshId(this.regions, "r"), polygon, latex: "" };
    const before = this.activeId;
    this.regions.push(region);
    this.activeId = region.id;
    this.#undo.push({ what: "add", run: () => this.#drop(region.id, before) });
    return region;
  }

  remove(id) {
    const at = this.at(id);
    if (at < 0) return;
    const [region] = this.regions.splice(at, 1);
    if (this.activeId === id) this.activeId = (this.regions[at] ?? this.regions[at - 1])?.id ?? null;
    this.#undo.push({ what: "remove", run: () => {
      this.regions.splice(Math.min(at, this.regions.length), 0, region);
      this.activeId = id;
    } });
  }

  /** One place earlier (-1) or later (1) in reading order; false at the end of the list. */
  move(id, by) {
    const at = this.at(id);
    if (at < 0 || at + by < 0 || at + by >= this.regions.length) return false;
    this.#swap(at, at + by);
    this.#undo.push({ what: "move", run: () => this.at(id) >= 0 && this.#swap(this.at(id), this.at(id) - by) });
    return true;
  }

  setPolygon(id, polygon) {
    const region = this.regions[this.at(id)];
    const before = region.polygon;
    region.polygon = polygon;
    // Steps of one movement are one change.
    const last = this.#undo.at(-1);
    if (last?.what === "outline" && last.id === id && !last.isOver) return;
    this.#undo.push({ what: "outline", id, run: () => this.at(id) >= 0 && (this.regions[this.at(id)].polygon = before) });
  }

  /** From here on another movement is another change. */
  endMovement() {
    if (this.#undo.length) this.#undo.at(-1).isOver = true;
  }

  setLatex(id, latex) {
    const region = this.regions[this.at(id)];
    if (region) region.latex = latex;
  }

  /** The active one becomes the next (1) or the previous (-1). */
  step(by) {
    const { length } = this.regions;
    if (length) this.activeId = this.regions[(this.at(this.activeId) + by + length) % length].id;
  }

  undo() {
    const step = this.#undo.pop();
    step?.run();
    return step?.what ?? null;
  }

  #drop(id, before) {
    this.regions = this.regions.filter((one) => one.id !== id);
    this.activeId = this.at(before) >= 0 ? before : (this.regions.at(-1)?.id ?? null);
  }

  #swap(one, other) {
    if (other < 0 || other >= this.regions.length) return;
    [this.regions[one], this.regions[other]] = [this.regions[other], this.regions[one]];
  }
}
