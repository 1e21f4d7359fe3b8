// Between pixels of the image and pixels of the screen: one affine map, whatever the zoom, the turn and the place.

/** The map that takes (0, 0), (width, 0), (0, height) of the image to the given points of the screen. */
export function mapFrom(origin, right, down, width, height) {
  return {
    a: (right.x - origin.x) / width, b: (right.y - origin.y) / width,
    c: (down.x - origin.x) / height, d: (down.y - origin.y) / height,
    e: origin.x, f: origin.y,
  };
}

/**
 * The point of the screen at a pixel of the image.
 * @param {Record<string, number>} map @param {number[]} point
 */
export const toScreen = ({ a, b, c, d, e, f }, [x, y]) => [a * x + c * y + e, b * x + d * y + f];

/**
 * The pixel of the image at a point of the screen, not rounded.
 * @param {Record<string, number>} map @param {number[]} point
 */
export function toImage({ a, b, c, d, e, f }, [x, y]) {
  const size = a * d - b * c;
  return [(d * (x - e) - c * (y - f)) / size, (a * (y - f) - b * (x - e)) / size];
}

/** Screen pixels per pixel of the image. */
export const scaleOf = ({ a, b }) => Math.hypot(a, b);

/** What SVG's transform attribute wants. */
export const asTransform = ({ a, b, c, d, e, f }) => `matrix(${a} ${b} ${c} ${d} ${e} ${f})`;

/**
 * The nearest whole pixel of the image; null for a point more than `slack` outside it.
 * @param {number[]} point
 */
export function intoImage([x, y], width, height, slack = Infinity) {
  if (x < -slack || y < -slack || x > width + slack || y > height + slack) return null;
  return [Math.min(width, Math.max(0, Math.round(x))), Math.min(height, Math.max(0, Math.round(y)))];
}
