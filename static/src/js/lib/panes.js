// F6 goes round the panes of the work page, as it does in other programs with panes.

export function listenForPanes() {
  document.addEventListener("ink:command", (event) => {
    const step = { "pane-next": 1, "pane-previous": -1 }[event.detail.command];
    if (!step || event.defaultPrevented) return;
    const panes = [...document.querySelectorAll("[data-pane]")].filter((pane) => pane.checkVisibility());
    if (!panes.length) return;
    event.preventDefault();
    // A pane may lie inside another; the innermost is where the person is.
    const at = panes.findLastIndex((pane) => pane.contains(document.activeElement));
    focusIn(panes[(at + step + panes.length) % panes.length]);
  });
}

/** The pane's own choice, else its editor, else the first thing in it that takes the focus. */
function focusIn(pane) {
  const seen = (selector) => [...pane.querySelectorAll(selector)].find((node) => node.checkVisibility());
  const target = seen("[data-pane-focus]") ?? seen(".cm-content") ?? seen("textarea, input:not([type=hidden]), button, a[href], [tabindex='0']");
  (target ?? pane).focus();
}
