// The words of the page's language, sent by templates/components/strings.html as a JSON data block.

let catalogue;

function readCatalogue() {
  const block = globalThis.document?.getElementById("ink-strings");
  return block ? JSON.parse(block.textContent) : {};
}

/** The string called `key`, with {name} filled from `values`; the key itself where the page sent no such string. */
export function t(key, values = {}) {
  catalogue ??= readCatalogue();
  const text = catalogue[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Hours and minutes as the reader writes them. */
export function clockTime(date) {
  const lang = globalThis.document?.documentElement.lang || undefined;
  return new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(date);
}
