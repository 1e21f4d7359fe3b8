// <ink-dropzone max-bytes? accept=".png,.pdf"? batched?>
//   <form method="post" enctype="multipart/form-data"> … <input type="file" name="files" multiple> … <button>Import</button></form>
// </ink-dropzone>
//
// Files and whole folders dropped here join those chosen by the native control. Sent as the form itself would be,
// with progress and a way to stop; `paths` carries each file's path inside its folder, in the order of the files.
// The server answers with a redirect to where the work goes on, or with JSON {errors: [words]}.
// With `batched`, many files go in several requests: all but the last carry `more`, are answered with JSON {run} and
// followed by requests that name it; one that failed is sent again when the button is pressed again.
import { element, icon } from "../lib/dom.js";
import { csrfToken } from "../lib/http.js";
import { t } from "../lib/strings.js";

const batchFiles = 200;
const batchBytes = 64e6;

class InkDropzone extends HTMLElement {
  #files = [];
  #run = null;
  #sent = 0;
  #submitter = null;

  connectedCallback() {
    this.form = this.querySelector("form");
    this.input = this.querySelector("input[type=file]");
    if (!this.form || !this.input || this.zone) return;
    this.list = element("ul", { class: "dropzone__list" });
    this.words = element("p", { class: "muted small", role: "status" });
    const folder = element("input", { type: "file", webkitdirectory: true, hidden: true, onchange: () => this.#add([...folder.files].map(withPath)) });
    this.zone = element("div", { class: "dropzone" }, icon("upload"), element("p", {}, element("strong", {}, t("drop_here"))), element("p", { class: "muted small" }, t("drop_or")));
    this.input.before(this.zone);
    this.zone.append(this.input, element("button", { type: "button", class: "button button--small", onclick: () => folder.click() }, icon("folder"), t("choose_folder")), folder, this.words, this.list);
    this.input.addEventListener("change", () => this.#add([...this.input.files].map(withPath)));
    for (const name of ["dragenter", "dragover"]) this.addEventListener(name, (event) => this.#over(event, true));
    for (const name of ["dragleave", "drop"]) this.addEventListener(name, (event) => this.#over(event, false));
    this.addEventListener("drop", (event) => void this.#dropped(event));
    this.form.addEventListener("submit", (event) => this.#send(event));
    // Chosen before this script ran, or kept by the browser when the page was loaded again.
    if (this.input.files.length) this.#add([...this.input.files].map(withPath));
  }

  #over(event, isOver) {
    event.preventDefault();
    this.zone.toggleAttribute("data-over", isOver);
  }

  async #dropped(event) {
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    this.#add(entries.length ? await filesOf(entries) : [...event.dataTransfer.files].map(withPath));
  }

  #add(found) {
    const known = new Set(this.#files.map(({ file, path }) => `${path}:${file.size}:${file.lastModified}`));
    this.#files.push(...found.filter(({ file, path }) => !known.has(`${path}:${file.size}:${file.lastModified}`)));
    this.#show();
  }

  #show() {
    const bytes = this.#files.reduce((sum, { file }) => sum + file.size, 0);
    this.words.textContent = this.#files.length ? t("files_chosen", { count: this.#files.length, size: sizeWords(bytes) }) : "";
    const shown = this.#files.slice(0, 100).map((one) => element("li", {}, element("span", {}, one.path), element("span", { class: "num faint nowrap" }, this.#sizeOf(one.file)),
      element("button", { type: "button", class: "link-button", "aria-label": t("remove_file", { name: one.path }), onclick: () => this.#remove(one) }, t("remove"))));
    this.list.replaceChildren(...shown, ...(this.#files.length > 100 ? [element("li", { class: "faint" }, t("files_more", { count: this.#files.length - 100 }))] : []));
    // The native control would ask for files the list already has.
    this.input.required = false;
  }

  #sizeOf(file) {
    const most = Number(this.getAttribute("max-bytes") ?? Infinity);
    return file.size > most ? t("file_too_large", { size: sizeWords(file.size), most: sizeWords(most) }) : sizeWords(file.size);
  }

  #remove(one) {
    this.#files = this.#files.filter((other) => other !== one);
    this.#show();
  }

  #send(event) {
    // Nothing dropped and nothing chosen: the form is its own (other fields, or the server's own words).
    if (!this.#files.length) return;
    event.preventDefault();
    if (this.request) return;
    this.progress?.remove();
    this.#submitter = event.submitter;
    this.#next();
  }

  /** Files that go together: all of them, or with `batched` as many as one request should carry. */
  #batch() {
    if (!this.hasAttribute("batched")) return this.#files;
    let bytes = 0;
    const end = this.#files.findIndex(({ file }, index) => index >= batchFiles || (bytes += file.size) > batchBytes);
    return end < 0 ? this.#files : this.#files.slice(0, Math.max(1, end));
  }

  #next() {
    const batch = this.#batch();
    const data = new FormData(this.form, this.#submitter);
    data.delete(this.input.name);
    if (this.#run) data.append("run", this.#run);
    if (batch.length < this.#files.length) data.append("more", "1");
    for (const { file, path } of batch) {
      data.append(this.input.name, file, file.name);
      data.append("paths", path);
    }
    this.#upload(data, batch);
  }

  #upload(data, batch) {
    const request = (this.request = new XMLHttpRequest());
    const all = this.#sent + this.#files.reduce((sum, { file }) => sum + file.size, 0);
    const bar = element("progress", { max: 1, value: 0, "aria-label": t("upload_progress") });
    const words = element("span", {}, t("upload_progress"));
    this.progress?.remove();
    this.progress = element("div", { class: "progress" }, bar, element("div", { class: "progress__words" }, words,
      element("button", { type: "button", class: "link-button", onclick: () => request.abort() }, t("cancel"))));
    this.zone.after(this.progress);
    request.upload.addEventListener("progress", ({ loaded }) => {
      const done = this.#sent + loaded;
      bar.value = all ? done / all : 0;
      words.textContent = done < all ? t("upload_of", { done: sizeWords(done), all: sizeWords(all) }) : t("upload_unpacking");
    });
    request.addEventListener("load", () => this.#answered(request, batch));
    request.addEventListener("error", () => this.#stopped(t("upload_offline")));
    request.addEventListener("abort", () => this.#stopped(t("upload_stopped")));
    request.open("POST", this.form.action);
    request.setRequestHeader("X-CSRFToken", csrfToken());
    request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
    request.send(data);
  }

  #answered(request, batch) {
    const isJson = request.getResponseHeader("Content-Type")?.includes("json");
    if (request.status >= 200 && request.status < 300 && batch.length < this.#files.length && isJson) {
      this.#run = JSON.parse(request.responseText).run;
      this.#sent += batch.reduce((sum, { file }) => sum + file.size, 0);
      this.#files = this.#files.slice(batch.length);
      this.#next();
      return;
    }
    if (request.status >= 200 && request.status < 300) {
      location.assign(request.responseURL);
      return;
    }
    this.#stopped(isJson ? JSON.parse(request.responseText).errors.join(" ") : t(request.status === 413 ? "upload_too_large" : "upload_refused"));
  }

  /** The files stay chosen; nothing has to be picked again. */
  #stopped(why) {
    this.request = null;
    this.progress.replaceChildren(element("p", { class: "field__error", role: "alert" }, why));
  }
}

const withPath = (file) => ({ file, path: file.webkitRelativePath || file.name });

async function filesOf(entries) {
  const found = [];
  for (const entry of entries) {
    if (entry.isFile) found.push({ file: await new Promise((resolve, reject) => entry.file(resolve, reject)), path: entry.fullPath.replace(/^\//, "") });
    else found.push(...(await filesOf(await entriesOf(entry))));
  }
  return found;
}

/** A directory hands out its entries a hundred at a time. */
async function entriesOf(directory) {
  const reader = directory.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all;
    all.push(...some);
  }
}

function sizeWords(bytes) {
  const lang = document.documentElement.lang || undefined;
  const [unit, value] = bytes < 1e6 ? ["kilobyte", bytes / 1e3] : bytes < 1e9 ? ["megabyte", bytes / 1e6] : ["gigabyte", bytes / 1e9];
  return new Intl.NumberFormat(lang, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

customElements.define("ink-dropzone", InkDropzone);
