// How a list of regions differs from the one it began as; regions are the same when they have the same id.
import { diffItems } from "./diff.js";

/** [{kind: removed | added | outline | latex | moved, number, was?, latex?}], in reading order, removed ones where they stood. */
export function changesOf(before, after) {
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
