// What every page needs: htmx under a strict policy, forms, keys, and the elements without heavy parts.
import htmx from "htmx.org";

import "./elements/ink-diff.js";
import "./elements/ink-dropzone.js";
import "./elements/ink-hints.js";
import "./elements/ink-own-keys.js";
import "./elements/ink-tabs.js";
import { listenForCommands } from "./lib/commands.js";
import { listenForForms } from "./lib/forms.js";
import { showKeys, writeKeys } from "./lib/help.js";
import { csrfToken } from "./lib/http.js";

// Work pages must not lie about in the browser's history, and the policy forbids eval and inline styles.
Object.assign(htmx.config, { historyCacheSize: 0, refreshOnHistoryMiss: true, allowEval: false, allowScriptTags: false, includeIndicatorStyles: false, selfRequestsOnly: true, attributesToSettle: ["class"] });
document.addEventListener("htmx:configRequest", (event) => (event.detail.headers["X-CSRFToken"] = csrfToken()));

listenForForms();
listenForCommands();
writeKeys();
document.addEventListener("ink:command", (event) => {
  if (event.detail.command !== "help" || event.defaultPrevented) return;
  event.preventDefault();
  showKeys();
});
