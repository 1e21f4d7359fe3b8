// <ink-preview for="editor-id"></ink-preview>            follows an editor
// <ink-preview><pre class="written">text</pre></ink-preview>   renders its own text once
//
// Markdown and math as a reader sees them. The text may come from anyone, a model too: see lib/markdown.js for what
// is let through. KaTeX runs without trust, with bounds on size and macro growth, and the whole page of formulas
// within a time budget; what is over it is shown as source with a word why.
import { element, partner, whenQuiet } from "../lib/dom.js";
import { makeMarkdown } from "../lib/markdown.js";
import { drawMath } from "../lib/math.js";
import { t } from "../lib/strings.js";

const budgetMs = 400;
const longestText = 200_000;
const markdown = makeMarkdown();

class InkPreview extends HTMLElement {
  #source = "";
  #stop = new AbortController();

  connectedCallback() {
    this.#stop = new AbortController();
    if (!this.hasAttribute("for")) {
      this.render((this.querySelector("pre") ?? this).textContent);
      return;
    }
    const later = whenQuiet(() => this.refresh(), 150);
    const { signal } = this.#stop;
    document.addEventListener("ink:change", (event) => event.target instanceof Element && event.target.id === this.getAttribute("for") && later(), { signal });
    document.addEventListener("ink:tab", () => this.refresh(), { signal });
    customElements.whenDefined("ink-editor").then(() => this.refresh());
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  /** Renders the editor's text if this preview can be seen; a hidden one waits until it is shown. */
  refresh() {
    const editor = partner(this);
    if (editor && this.checkVisibility() && editor.text !== this.#source) this.render(editor.text);
  }

  render(text) {
    this.#source = text;
    this.classList.add("preview");
    if (!this.hasAttribute("dir")) this.dir = "auto";
    if (!text.trim()) {
      this.replaceChildren(element("p", { class: "muted" }, t("preview_empty")));
      return;
    }
    if (text.length > longestText) {
      this.replaceChildren(element("p", { class: "muted" }, t("preview_too_long")));
      return;
    }
    this.innerHTML = markdown.render(text);
    for (const block of this.querySelectorAll("p, li, td, th, h1, h2, h3, h4, h5, h6, blockquote")) block.dir = "auto";
    this.#renderMath();
  }

  #renderMath() {
    const deadline = performance.now() + budgetMs;
    for (const place of this.querySelectorAll("[data-tex]")) {
      place.dir = "ltr";
      const { tex } = place.dataset;
      if (performance.now() > deadline) showSource(place, t("math_skipped"));
      else renderFormula(place, tex);
    }
  }
}

function renderFormula(place, tex) {
  const problem = drawMath(tex, place, { isBlock: "block" in place.dataset });
  if (problem) showSource(place, problem.words);
}

function showSource(place, why) {
  place.classList.add("math--failed");
  place.title = why;
  place.append(element("code", {}, shortened(place.dataset.tex)), element("span", { class: "math__why" }, why));
}

/** The whole of it stands in the editor. */
const shortened = (tex) => (tex.length > 300 ? `${tex.slice(0, 300)}…` : tex);

customElements.define("ink-preview", InkPreview);
