// What is taken from a suggestion is put into the editor and reported to the server, so that the release can say where
// a text came from. A note that cannot be delivered is tried again with the next one.
import { sendJson } from "./http.js";

const waiting = [];

/** Records {suggestion, how: "whole" | "line", line, text} at `url`, in order, and what could not be sent before. */
export async function recordTaken(url, taken) {
  if (!url) return;
  waiting.push({ url, taken });
  while (waiting.length) {
    const { status } = await sendJson("POST", waiting[0].url, waiting[0].taken);
    if (status === 0 || status >= 500) return;
    waiting.shift();
  }
}

window.addEventListener("online", () => {
  const next = waiting.shift();
  if (next) void recordTaken(next.url, next.taken);
});
