// The texts of the page's language. A script of its own (config/translations/views.py) sets them before this one runs.

/** The text called `key`, with {name} replaced from `values`; the key itself if there is no such text. */
export function t(key, values = {}) {
  const text = globalThis.inkStrings?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => (name in values ? String(values[name]) : placeholder));
}

/** Hours and minutes as the reader writes them. */
export function clockTime(date) {
  const lang = globalThis.document?.documentElement.lang || undefined;
  return new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(date);
}
