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

/** For choices the server must know before it draws the page (theme, reading size). One year, this site only. */
export function rememberForServer(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax${secure}`;
}
