// <ink-split key="work" label="…"><div>image</div><div>editor</div></ink-split>
//
// Two panes and a divider: dragged, moved by arrow keys, reset by a double click, remembered per `key`. Under
// 1100 px, and on portrait screens, the panes stack (CSS) and the divider moves up and down.
import { element } from "../lib/dom.js";
import { recall, remember } from "../lib/browser-storage.js";

const [least, most, middle] = [20, 80, 50];

class InkSplit extends HTMLElement {
  connectedCallback() {
    if (this.divider) return;
    const [first] = this.children;
    if (!first) return;
    first.id ||= `${this.getAttribute("key") ?? "split"}-first`;
    this.divider = element("div", {
      class: "split__divider", role: "separator", tabindex: "0", "aria-label": this.getAttribute("label") ?? "",
      "aria-controls": first.id, "aria-valuemin": least, "aria-valuemax": most,
    });
    first.after(this.divider);
    this.divider.addEventListener("pointerdown", (event) => this.#drag(event));
    this.divider.addEventListener("keydown", (event) => this.#key(event));
    this.divider.addEventListener("dblclick", () => this.#settle(middle));
    this.#narrow = matchMedia("(max-width: 1099px), (orientation: portrait)");
    this.#narrow.addEventListener("change", () => this.#read());
    this.#read();
  }

  #narrow;

  get isStacked() {
    return this.#narrow.matches;
  }

  get #memoryKey() {
    return `split:${this.getAttribute("key")}:${this.isStacked ? "stacked" : "beside"}`;
  }

  #read() {
    this.divider.setAttribute("aria-orientation", this.isStacked ? "horizontal" : "vertical");
    this.#set(Number(recall(this.#memoryKey)) || (this.isStacked ? 45 : middle));
  }

  #set(share) {
    this.share = Math.min(most, Math.max(least, share));
    this.style.setProperty("--split", `${this.share}%`);
    this.divider.setAttribute("aria-valuenow", Math.round(this.share));
  }

  #settle(share) {
    this.#set(share);
    remember(this.#memoryKey, this.share.toFixed(1));
  }

  #drag(event) {
    event.preventDefault();
    this.divider.focus();
    this.divider.setPointerCapture(event.pointerId);
    const box = this.getBoundingClientRect();
    const isMirrored = !this.isStacked && getComputedStyle(this).direction === "rtl";
    const move = ({ clientX, clientY }) => {
      const share = this.isStacked ? (clientY - box.top) / box.height : (clientX - box.left) / box.width;
      this.#set(100 * (isMirrored ? 1 - share : share));
    };
    this.divider.addEventListener("pointermove", move);
    this.divider.addEventListener("lostpointercapture", () => {
      this.divider.removeEventListener("pointermove", move);
      this.#settle(this.share);
    }, { once: true });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = this.isStacked ? { ArrowUp: -2, ArrowDown: 2 } : { ArrowLeft: -2, ArrowRight: 2 };
    const target = { Home: least, End: most }[event.key] ?? (event.key in steps ? this.share + steps[event.key] : null);
    if (target === null) return;
    event.preventDefault();
    this.#settle(target);
  }
}

customElements.define("ink-split", InkSplit);
