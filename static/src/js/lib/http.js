// Requests of the work page: JSON out, {status, data} back; a network that fails is status 0, never an exception.

/** Django's token: the cookie where scripts may read it (it changes at sign-in), else the page's meta element. */
export function csrfToken() {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  if (cookie) return decodeURIComponent(cookie.slice("csrftoken=".length));
  return document.querySelector('meta[name="csrf-token"]')?.content ?? "";
}

/** After a sign-in in place: gives every form on the page, and the meta element, the new token. */
export function renewCsrfToken(token = csrfToken()) {
  const meta = document.querySelector('meta[name="csrf-token"]');
  if (meta) meta.content = token;
  for (const input of document.querySelectorAll('input[name="csrfmiddlewaretoken"]')) input.value = token;
}

// A keepalive body may be 64 KiB at most, all of the page's together; beyond that the local mirror holds the text.
const keepaliveBytes = 60_000;

/** Sends JSON. `leaving` asks the browser to finish the request although the page goes away. */
export async function sendJson(method, url, body, { leaving = false, timeoutMs = 20_000 } = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const mayOutlive = leaving && (!text || new Blob([text]).size < keepaliveBytes);
  try {
    const response = await fetch(url, {
      method,
      body: text,
      credentials: "same-origin",
      redirect: "manual",
      keepalive: mayOutlive,
      signal: leaving ? undefined : AbortSignal.timeout(timeoutMs),
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken() },
    });
    // A redirect can only lead to the sign-in page: none of these addresses redirects a person who is signed in.
    if (response.type === "opaqueredirect") return { status: 401, data: {} };
    const isJson = response.headers.get("Content-Type")?.includes("json");
    return { status: response.status, data: isJson ? await response.json() : {} };
  } catch {
    return { status: 0, data: {} };
  }
}
