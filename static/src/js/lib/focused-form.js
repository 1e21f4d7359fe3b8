// Ctrl+Enter belongs to the form that is written in: on a work page that may be a note, not the work.

/** The form that a key was pressed in, where it is another than the work's own: a note, an entry of the log. */
export function otherForm(node, own) {
  const form = node.form ?? node.closest?.("form");
  return form && form !== own ? form : null;
}

export function submitButton(form) {
  return [...form.elements].find((node) => node.matches("button:not([type=button], [type=reset]), input[type=submit]"));
}
