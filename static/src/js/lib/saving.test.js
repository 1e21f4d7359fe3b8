import assert from "node:assert/strict";
import test from "node:test";

import { SaveSession } from "./saving.js";

/** A session against answers given by hand, with a clock that only moves when reported. */
function start({ text = "one", masks, version = 1, answers = [] } = {}) {
  const log = { states: [], sent: [], mirror: null, queue: [...answers], timers: new Map(), now: 0, id: 0 };
  const timers = {
    setTimeout: (call, ms) => (log.timers.set((log.id += 1), { call, at: log.now + ms }), log.id),
    clearTimeout: (id) => log.timers.delete(id),
  };
  log.session = new SaveSession({
    text, masks, version, imageHash: "h1", timers,
    send: (body, options) => {
      log.sent.push({ ...body, ...(options.leaving ? { leaving: true } : {}) });
      const answer = log.queue.shift();
      return typeof answer === "function" ? answer() : Promise.resolve(answer);
    },
    mirror: { put: (row) => (log.mirror = row), clear: () => (log.mirror = null) },
    onState: (state) => log.states.push(state),
  });
  log.tick = async (ms) => {
    log.now += ms;
    for (const [id, timer] of [...log.timers]) if (timer.at <= log.now) (log.timers.delete(id), timer.call());
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return log;
}

const ok = (version) => ({ status: 200, data: { version, saved_at: "2026-11-30T14:03:00Z" } });
const newer = { status: 409, data: { kind: "newer_version", version: 5, stored_text: "theirs" } };

test("typing is sent after one second of rest, once", async () => {
  const log = start({ answers: [ok(2)] });
  log.session.edit("one t");
  await log.tick(900);
  log.session.edit("one two");
  await log.tick(900);
  assert.equal(log.sent.length, 0);
  await log.tick(100);
  assert.deepEqual(log.sent, [{ text: "one two", base_version: 1, image_hash: "h1" }]);
  assert.deepEqual([log.session.state, log.session.version, log.mirror], ["saved", 2, null]);
  assert.deepEqual(log.states, ["editing", "editing", "saving", "saved"]);
});

test("a change undone before the rest sends nothing", async () => {
  const log = start();
  log.session.edit("one!");
  log.session.edit("one");
  await log.tick(5000);
  assert.deepEqual([log.sent.length, log.session.state, log.mirror], [0, "saved", null]);
});

test("only one save is in flight; what was typed meanwhile goes next, on the new version", async () => {
  let arrive;
  const log = start({ answers: [() => new Promise((done) => (arrive = () => done(ok(2)))), ok(3)] });
  log.session.edit("a");
  await log.tick(1000);
  log.session.edit("ab");
  await log.tick(5000);
  assert.equal(log.sent.length, 1);
  arrive();
  await log.tick(0);
  assert.equal(log.session.state, "editing");
  await log.tick(1000);
  assert.deepEqual(log.sent[1], { text: "ab", base_version: 2, image_hash: "h1" });
  assert.equal(log.session.state, "saved");
});

test("a full disk: kept on the device, said in the server's words, then saved", async () => {
  const log = start({ answers: [{ status: 507, data: { message: "The disk is full." } }, ok(2)] });
  const heard = [];
  log.session.onState = (state, data) => heard.push([state, data?.message]);
  log.session.edit("kept");
  await log.tick(1000);
  assert.deepEqual(heard.at(-1), ["offline", "The disk is full."]);
  assert.equal(log.mirror.text, "kept");
  await log.tick(2000);
  assert.deepEqual([log.session.state, log.mirror], ["saved", null]);
});

test("a dead server: kept on the device, tried again later and later, then saved", async () => {
  const log = start({ answers: [{ status: 0, data: {} }, { status: 503, data: {} }, ok(2)] });
  log.session.edit("kept");
  await log.tick(1000);
  assert.deepEqual([log.session.state, log.mirror], ["offline", { text: "kept", version: 1, sent: "kept" }]);
  await log.tick(2000);
  assert.equal(log.session.state, "offline");
  await log.tick(4999);
  assert.equal(log.sent.length, 2);
  await log.tick(1);
  assert.deepEqual([log.session.state, log.mirror], ["saved", null]);
});

test("a newer version stops saving until a person chooses; mine goes over it by name", async () => {
  const log = start({ answers: [newer, ok(6)] });
  log.session.edit("mine");
  await log.tick(1000);
  assert.deepEqual([log.session.state, log.session.newer], ["conflict", { version: 5, text: "theirs" }]);
  log.session.edit("mine more");
  await log.tick(60_000);
  assert.deepEqual([log.sent.length, log.mirror.text], [1, "mine more"]);
  await log.session.resolve("mine");
  assert.deepEqual(log.sent[1], { text: "mine more", base_version: 5, image_hash: "h1" });
  assert.deepEqual([log.session.state, log.session.version], ["saved", 6]);
});

test("a newer version taken replaces the text and sends nothing", async () => {
  const log = start({ answers: [newer] });
  log.session.edit("mine");
  await log.tick(1000);
  await log.session.resolve("theirs");
  assert.deepEqual([log.session.text, log.session.version, log.session.state, log.sent.length, log.mirror], ["theirs", 5, "saved", 1, null]);
});

test("an answer that was lost on the way is no conflict when the server has this very text", async () => {
  const log = start({ answers: [{ status: 0, data: {} }, { status: 409, data: { kind: "newer_version", version: 2, stored_text: "x" } }] });
  log.session.edit("x");
  await log.tick(1000);
  await log.tick(2000);
  assert.deepEqual([log.session.state, log.session.version], ["saved", 2]);
});

test("an expired session keeps the text and saves it after the sign-in", async () => {
  const log = start({ answers: [{ status: 401, data: { login_url: "/in/" } }, ok(2)] });
  log.session.edit("kept");
  await log.tick(1000);
  assert.deepEqual([log.session.state, log.mirror.text], ["signed_out", "kept"]);
  log.session.edit("kept and more");
  await log.tick(9000);
  assert.equal(log.sent.length, 1);
  await log.session.resume();
  assert.deepEqual([log.session.state, log.sent[1].text], ["saved", "kept and more"]);
});

for (const kind of ["lease_lost", "closed", "wrong_image"])
  test(`${kind} ends saving and keeps the text on the device`, async () => {
    const log = start({ answers: [{ status: 409, data: { kind } }] });
    log.session.edit("late");
    await log.tick(1000);
    log.session.edit("later");
    await log.tick(60_000);
    assert.deepEqual([log.session.state, log.sent.length, log.mirror.text], [kind, 1, "later"]);
  });

test("someone else signed in: nothing is saved into their work", async () => {
  const log = start({ answers: [{ status: 404, data: {} }] });
  log.session.edit("x");
  await log.tick(1000);
  assert.equal(log.session.state, "not_yours");
});

test("a refused text says so, and the next change is tried", async () => {
  const log = start({ answers: [{ status: 422, data: { kind: "invalid", message: "too long" } }, ok(2)] });
  log.session.edit("long");
  await log.tick(1000);
  assert.equal(log.session.state, "invalid");
  log.session.edit("short");
  await log.tick(1000);
  assert.equal(log.session.state, "saved");
});

test("a text found after a crash is restored when it builds on the same version", async () => {
  const log = start({ text: "one", version: 3, answers: [ok(4)] });
  assert.equal(log.session.adopt({ text: "one two", version: 3 }), "restored");
  await log.tick(1000);
  assert.equal(log.session.state, "saved");
});

test("a text found after a crash is a choice when the server went on", () => {
  const log = start({ text: "server", version: 4 });
  assert.equal(log.session.adopt({ text: "device", version: 3 }), "conflict");
  assert.deepEqual([log.session.newer, log.session.text], [{ version: 4, text: "server" }, "device"]);
});

test("a text found after a crash is no choice when the server's newer text is the one that was on its way", () => {
  const log = start({ text: "half", version: 4 });
  assert.equal(log.session.adopt({ text: "half and more", version: 3, sent: "half" }), "restored");
});

test("a text found after a crash that the server already has is forgotten", () => {
  const log = start({ text: "same", version: 4 });
  log.mirror = {};
  assert.deepEqual([log.session.adopt({ text: "same", version: 3 }), log.mirror, log.session.state], ["none", null, "saved"]);
});

test("leaving the page sends at once and asks to outlive it", async () => {
  const log = start({ answers: [ok(2)] });
  log.session.edit("bye");
  await log.session.flush({ leaving: true });
  assert.deepEqual(log.sent, [{ text: "bye", base_version: 1, image_hash: "h1", leaving: true }]);
});

test("flush waits for the save in flight and sends the rest before it answers", async () => {
  let arrive;
  const log = start({ answers: [() => new Promise((done) => (arrive = () => done(ok(2)))), ok(3)] });
  log.session.edit("a");
  await log.tick(1000);
  log.session.edit("ab");
  const flushed = log.session.flush();
  arrive();
  assert.equal(await flushed, "saved");
  assert.deepEqual(log.sent.map((one) => [one.text, one.base_version]), [["a", 1], ["ab", 2]]);
});

test("a heartbeat that lost the lease ends saving, one that finds no session asks to sign in", () => {
  const log = start();
  log.session.hear({ status: 200, data: {} });
  assert.equal(log.session.state, "saved");
  log.session.hear({ status: 401, data: {} });
  assert.equal(log.session.state, "signed_out");
  log.session.hear({ status: 409, data: { kind: "lease_lost" } });
  assert.equal(log.session.state, "lease_lost");
});

const box = { id: "m", shape: "box", points: [[1, 1], [9, 9]], reason: "torn" };

test("a mask is saved with the text, as one version", async () => {
  const log = start({ masks: "[]", answers: [ok(2)] });
  log.session.edit("one", JSON.stringify([box]));
  log.session.edit("one two", JSON.stringify([box]));
  assert.deepEqual([log.mirror.text, log.mirror.masks], ["one two", JSON.stringify([box])]);
  await log.tick(1000);
  assert.deepEqual(log.sent, [{ text: "one two", masks: [box], base_version: 1, image_hash: "h1" }]);
  assert.deepEqual([log.session.isDirty, log.mirror], [false, null]);
});

test("a page without masks sends none", async () => {
  const log = start({ answers: [ok(2)] });
  log.session.edit("two");
  await log.tick(1000);
  assert.equal("masks" in log.sent[0], false);
});

test("masks written otherwise are no change", async () => {
  const log = start({ masks: "" });
  log.session.edit("one", " [ ] ");
  await log.tick(5000);
  assert.deepEqual([log.sent.length, log.session.state], [0, "saved"]);
});

test("masks that are no JSON go to the server, which says why not", async () => {
  const log = start({ masks: "[]", answers: [{ status: 422, data: { kind: "invalid", message: "The masks are no list." } }] });
  log.session.edit("one", "[{");
  await log.tick(1000);
  assert.deepEqual([log.sent[0].masks, log.session.state], ["[{", "invalid"]);
});

test("a newer version with other masks is a choice, and theirs brings both", async () => {
  const theirs = { status: 409, data: { kind: "newer_version", version: 5, stored_text: "one", stored_masks: [box] } };
  const log = start({ masks: "[]", answers: [theirs] });
  log.session.edit("two", "[]");
  await log.tick(1000);
  assert.equal(log.session.state, "conflict");
  await log.session.resolve("theirs");
  assert.deepEqual([log.session.text, log.session.masks, log.session.version, log.session.state], ["one", JSON.stringify([box]), 5, "saved"]);
});

test("the same text with other masks is no agreement", async () => {
  const theirs = { status: 409, data: { kind: "newer_version", version: 5, stored_text: "one", stored_masks: [] } };
  const log = start({ masks: "[]", answers: [theirs] });
  log.session.edit("one", JSON.stringify([box]));
  await log.tick(1000);
  assert.equal(log.session.state, "conflict");
});

test("masks found on the device go on where they were", async () => {
  const log = start({ masks: "[]", answers: [ok(2)] });
  assert.equal(log.session.adopt({ text: "one", masks: JSON.stringify([box]), version: 1 }), "restored");
  await log.tick(1000);
  assert.deepEqual(log.sent[0].masks, [box]);
});
