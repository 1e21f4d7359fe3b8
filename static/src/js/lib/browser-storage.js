// What this browser remembers between visits: pane sizes, hints seen. Works, forgetfully, where storage is barred.

const prefix = "inkbench:";

export function recall(key) {
  try {
    return globalThis.localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    globalThis.localStorage.setItem(prefix + key, value);
  } catch {
    // Private windows and full disks: the page works, it only forgets.
  }
}
