// While a label is on its way nothing can be written into it: what was typed then would stand in no answer.

const editors = "ink-editor, ink-table, ink-regions, ink-region-fields, ink-masks";

/** Makes the editors over a form's text and masks read-only. Calling the answer gives them back, and the focus. */
export function holdEditors(form) {
  const over = ["text", "masks"].map((name) => form.elements.namedItem(name)?.closest(editors));
  const held = over.filter((editor) => editor && !editor.hasAttribute("read-only"));
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  for (const editor of held) editor.setAttribute("read-only", "");
  return () => {
    for (const editor of held) editor.removeAttribute("read-only");
    if (focused?.isConnected && document.activeElement === document.body) focused.focus();
  };
}
