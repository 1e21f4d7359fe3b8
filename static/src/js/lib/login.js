// Sign-in in place: the page, its text and its undo history stay where they are.
import { element, openDialog } from "./dom.js";
import { csrfToken, renewCsrfToken } from "./http.js";
import { t } from "./strings.js";

let open = null;

/** Shows the sign-in dialog (one at a time); true once a session exists, false when the person put it off. */
export function signInHere(loginUrl) {
  open ??= showDialog(loginUrl).finally(() => (open = null));
  return open;
}

function showDialog(loginUrl) {
  return new Promise((resolve) => {
    let isSignedIn = false;
    const trouble = element("p", { class: "field__error", role: "alert", hidden: true });
    const name = element("input", { name: "login", autocomplete: "username", required: true, id: "ink-login-name" });
    const password = element("input", { name: "password", type: "password", autocomplete: "current-password", required: true, id: "ink-login-password" });
    const button = element("button", { class: "button button--primary" }, t("sign_in"));
    const form = element("form", { class: "dialog__form", method: "dialog" },
      element("div", { class: "dialog__body" },
        element("h2", {}, t("signed_out_title")), element("p", { class: "muted" }, t("signed_out_kept")),
        field("ink-login-name", t("login_name"), name), field("ink-login-password", t("login_password"), password), trouble),
      element("div", { class: "dialog__actions" },
        element("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("later")), button));
    const dialog = element("dialog", { class: "dialog", "aria-label": t("signed_out_title") }, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.setAttribute("aria-disabled", "true");
      const problem = await signIn(loginUrl, name.value, password.value);
      button.removeAttribute("aria-disabled");
      if (problem) {
        trouble.hidden = false;
        trouble.replaceChildren(problem);
        password.value = "";
        password.focus();
        return;
      }
      isSignedIn = true;
      dialog.close();
    });
    dialog.addEventListener("close", () => resolve(isSignedIn));
    openDialog(dialog);
  });
}

function field(id, label, input) {
  return element("div", { class: "field" }, element("label", { class: "field__label", for: id }, label), input);
}

/** Signs in through the ordinary sign-in page; null when it worked, else what is wrong, in words or as a link. */
async function signIn(loginUrl, login, password) {
  try {
    const page = await fetch(loginUrl, { credentials: "same-origin" });
    // The sign-in page sends people who have a session on: another tab was quicker.
    if (page.redirected && !new URL(page.url).pathname.startsWith(new URL(loginUrl, location.href).pathname)) return settled();
    const answer = await fetch(loginUrl, {
      method: "POST", credentials: "same-origin", body: new URLSearchParams({ login, password }),
      headers: { "X-CSRFToken": csrfToken(), "X-Requested-With": "XMLHttpRequest", Accept: "application/json" },
    });
    const data = await answer.json().catch(() => ({}));
    if (answer.ok && /2fa|mfa/.test(data.location ?? ""))
      return element("a", { href: data.location, target: "_blank", rel: "noopener" }, t("second_factor"));
    if (answer.status === 429) return t("login_locked", { minutes: Math.ceil(Number(answer.headers.get("Retry-After")) / 60) });
    return answer.ok ? settled() : wordsOf(data) || t("login_failed");
  } catch {
    return t("login_offline");
  }
}

function settled() {
  renewCsrfToken();
  return null;
}

function wordsOf(data) {
  const fields = Object.values(data.form?.fields ?? {}).flatMap((one) => one.errors ?? []);
  return [...(data.form?.errors ?? []), ...fields].join(" ");
}
