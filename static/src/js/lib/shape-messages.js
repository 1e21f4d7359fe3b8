// Why a shape is refused, in words.
import { maxPoints } from "./geometry.js";
import { t } from "./strings.js";

const keys = {
  numbers: "fault_numbers", outside: "fault_outside", few: "fault_few", many: "fault_many", repeated: "fault_repeated",
  crosses: "fault_crosses", flat: "fault_flat", unfinished: "fault_unfinished",
};

/** @param {{kind: string, at?: number | string, and?: number | string, count?: number | string}} fault */
export const faultWords = ({ kind, at = "", and = "", count = "" }) => t(keys[kind], { at, and, count, most: maxPoints });
