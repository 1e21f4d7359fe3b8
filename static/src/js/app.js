// What every page needs: htmx under a strict policy.
import htmx from "htmx.org";

htmx.config.historyCacheSize = 0;
htmx.config.allowEval = false;
htmx.config.includeIndicatorStyles = false;
