// What pages with an image, an editor or math need on top of app.js.
import "./elements/ink-editor.js";
import "./elements/ink-viewer.js";
import "./elements/ink-preview.js";
import "./elements/ink-split.js";
import "./elements/ink-suggestions.js";
import "./elements/ink-regions.js";
import "./elements/ink-region-changes.js";
import "./elements/ink-masks.js";
import "./elements/ink-table.js";
import "./elements/ink-table-view.js";
import "./elements/ink-table-suggestions.js";
import "./elements/ink-formula-suggestions.js";
import "./elements/ink-disagreements.js";
import "./elements/ink-read-to-end.js";
import "./elements/ink-session.js";
import "./elements/ink-practice.js";
import "./elements/ink-region-fields.js";
import "./elements/ink-disputed-field.js";
import "./elements/ink-version.js";
import "./elements/ink-new-version.js";
import "./elements/ink-autosave.js";
import "./elements/ink-trial.js";
import "./elements/ink-rating.js";
import "./elements/ink-autosave-field.js";
import "./elements/ink-visible-area.js";
import { listenForPanes } from "./lib/panes.js";

listenForPanes();
