// Values of fields of a discussion, as the payloads write them: outlines, whole formulas, masks, orders, skeletons.

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** {points, latex: string | null} of a region: its outline alone, or a whole formula; null for neither. */
export function readRegionValue(text) {
  const value = parsed(text);
  if (Array.isArray(value)) return { points: value, latex: null };
  return Array.isArray(value?.polygon) ? { points: value.polygon, latex: String(value.latex ?? "") } : null;
}

export const writeRegionValue = ({ points, latex }) => JSON.stringify(latex === null ? points : { polygon: points, latex });

/** {shape, points, width?, reason} of a mask; null for none. */
export function readMaskValue(text) {
  const value = parsed(text);
  return Array.isArray(value?.points) ? value : null;
}

/** Keys of formulas in reading order. */
export function readOrder(text) {
  const value = parsed(text);
  return Array.isArray(value) ? value.map(String) : [];
}
