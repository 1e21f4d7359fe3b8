// What TypeScript cannot know about our pages: which element a selector finds, what a form's control is, and the
// catalogue of texts that a script of its own sets (config/translations/views.py).
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selectors: string): any;
}
interface Document {
  getElementById(id: string): any;
}
interface EventTarget {
  // Listeners below the page are called with events whose target is an element.
  closest?: any;
  matches?: any;
}
interface HTMLFormControlsCollection {
  namedItem(name: string): any;
  [name: string]: any;
}
interface Event {
  detail?: any;
}
declare var inkStrings: Record<string, string> | undefined;
