// Rules of `npm run lint:css`: the standard ones, but for layout, where a short rule stays on one line.
const word = "[a-z0-9]+(?:-[a-z0-9]+)*";
const libraries = "ProseMirror(?:-[a-z]+)*|openseadragon-[a-z]+|selectedCell|column-resize-handle|cm-[a-zA-Z-]+|katex(?:-[a-z]+)*";

export default {
  extends: ["stylelint-config-standard"],
  rules: {
    "at-rule-empty-line-before": null,
    "color-hex-length": "long", // tokens.test.js computes contrast from six digits
    "comment-empty-line-before": null,
    "custom-property-empty-line-before": null,
    "declaration-block-single-line-max-declarations": null,
    "import-notation": "string",
    "no-descending-specificity": null, // files are ordered by component, not by specificity
    "property-no-vendor-prefix": [true, { ignoreProperties: ["text-size-adjust"] }], // Safari has only the prefixed one
    "rule-empty-line-before": null,
    "selector-class-pattern": `^(?:${word}(?:__${word})?(?:--${word})?|${libraries})$`, // BEM
    "value-keyword-case": ["lower", { ignoreProperties: ["/^--font-/"] }], // names of fonts
  },
};
