// Rules of `npm run lint:js`: everything ESLint recommends, and what keeps modules readable.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["static/dist/**"] },
  js.configs.recommended,
  {
    files: ["static/src/**/*.js"],
    languageOptions: { globals: { ...globals.browser, inkStrings: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": ["error", "always", { null: "ignore" }],
      "no-implicit-globals": "error",
      "no-param-reassign": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  { files: ["*.config.js", "static/build.mjs", "static/src/**/*.test.js"], languageOptions: { globals: globals.node } },
];
