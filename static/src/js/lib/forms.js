// Habits of every form: sent once, asked first where it says so; menus that close; notices that go; copying.
import { csrfToken } from "./http.js";
import { announce, element, openDialog } from "./dom.js";
import { t } from "./strings.js";

/** A second press sends nothing until the page comes back or the answer of a fragment has come. */
function guardDoubleSubmit(event) {
  const form = event.target;
  if (event.submitter?.getAttribute("aria-disabled") === "true") event.preventDefault();
  if (event.defaultPrevented || form.method === "dialog") return;
  if (form.dataset.sent) event.preventDefault();
  else if (form.method === "post" && !form.hasAttribute("hx-post")) form.dataset.sent = "yes";
}

/** The browser can say what is wrong with a field only where it is in view. */
function openGroupOf(event) {
  event.target.closest("details:not([open])")?.setAttribute("open", "");
}

function askFirst(event) {
  const button = event.submitter;
  const words = button?.dataset.confirm;
  if (!words || button.dataset.confirmed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const act = () => {
    button.dataset.confirmed = "yes";
    event.target.requestSubmit(button);
    delete button.dataset.confirmed;
  };
  const dialog = element("dialog", { class: "dialog", "aria-label": t("confirm_title") },
    element("div", { class: "dialog__body" }, element("p", {}, words)),
    element("form", { class: "dialog__actions", method: "dialog" },
      element("button", { class: "button", value: "no" }, t("cancel")),
      element("button", { class: "button button--danger", value: "yes" }, button.dataset.confirmButton || button.textContent.trim())));
  dialog.addEventListener("close", () => dialog.returnValue === "yes" && act());
  openDialog(dialog);
}

/** Light and text size change at once; the server keeps them for the next page. */
function setDisplay(event) {
  const { submitter: button, target: form } = event;
  if (!form.hasAttribute("data-display") || !button) return;
  event.preventDefault();
  const names = { theme: "theme", reading_size: "readingSize" };
  document.documentElement.dataset[names[button.name]] = button.value;
  for (const other of form.querySelectorAll(`[name="${button.name}"]`)) other.toggleAttribute("aria-current", false);
  button.setAttribute("aria-current", "true");
  void fetch(form.action, { method: "POST", body: new FormData(form, button), redirect: "manual", headers: { "X-CSRFToken": csrfToken() } });
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(except)) menu.open = false;
}

async function onClick(event) {
  closeMenus(event.target);
  event.target.closest("[data-dismiss]")?.closest(".notice")?.remove();
  const copier = event.target.closest("[data-copy], [data-copy-from]");
  if (!copier) return;
  const source = document.getElementById(copier.dataset.copyFrom ?? "");
  await navigator.clipboard.writeText(copier.dataset.copy ?? source?.value ?? source?.textContent ?? "");
  announce(copier, "copied");
  const words = copier.lastChild;
  const before = words.textContent;
  words.textContent = t("copied");
  setTimeout(() => (words.textContent = before), 1500);
}

export function listenForForms() {
  document.addEventListener("invalid", openGroupOf, true);
  document.addEventListener("submit", askFirst, { capture: true });
  document.addEventListener("submit", setDisplay);
  document.addEventListener("submit", guardDoubleSubmit);
  document.addEventListener("click", (event) => void onClick(event));
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
}
