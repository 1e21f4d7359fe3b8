// How a list of regions differs from the one it began as. Regions are the same when they have the same id, and one that
// was removed and drawn anew at its place is the same too: their outlines share half of their joint area or more.
import { diffItems } from "./diff.js";
import { overlap } from "./geometry.js";

const sameFrom = 0.5;

/** `after` with the ids of `before` for what was drawn anew; the best overlap first, each region once. */
function renamed(before, after) {
  const has = (list, id) => list.some((one) => one.id === id);
  const gone = before.filter(({ id }) => !has(after, id));
  const fresh = after.filter(({ id }) => !has(before, id));
  const pairs = gone.flatMap((old) => fresh.map((region) => ({ old, region, share: overlap(old.polygon, region.polygon) })))
    .filter(({ share }) => share >= sameFrom).sort((a, b) => b.share - a.share);
  const names = new Map();
  for (const { old, region } of pairs) if (!names.has(region.id) && ![...names.values()].includes(old.id)) names.set(region.id, old.id);
  return after.map((region) => ({ ...region, id: names.get(region.id) ?? region.id }));
}

/** [{kind: removed | added | outline | latex | moved, number, was?, latex?}], in reading order, removed ones where they stood. */
export function changesOf(before, given) {
  const after = renamed(before, given);
  const place = (list, id) => list.findIndex((one) => one.id === id);
  const kept = before.filter(({ id }) => place(after, id) >= 0);
  const runs = diffItems(kept.map(({ id }) => id), after.map(({ id }) => id));
  const stayed = new Set(runs.filter(({ kind }) => kind === "same").flatMap(({ items }) => items));
  const order = [...after];
  for (const [at, region] of before.entries()) if (place(after, region.id) < 0) order.splice(Math.min(at, order.length), 0, region);
  return order.flatMap(({ id }) => {
    const [was, now] = [place(before, id), place(after, id)];
    const [old, fresh] = [before[was], after[now]];
    const latex = { before: old?.latex ?? "", after: fresh?.latex ?? "" };
    if (now < 0) return [{ kind: "removed", number: was + 1, latex }];
    if (was < 0) return [{ kind: "added", number: now + 1, latex }];
    return [
      !stayed.has(id) && { kind: "moved", number: now + 1, was: was + 1 },
      JSON.stringify(old.polygon) !== JSON.stringify(fresh.polygon) && { kind: "outline", number: now + 1 },
      old.latex !== fresh.latex && { kind: "latex", number: now + 1, latex },
    ].filter(Boolean);
  });
}
