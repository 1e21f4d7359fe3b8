// Where the lines of writing are on a page, found from the image alone: nothing of any recogniser's work goes
// into it, so a blind reviewer may have it too. Good enough to light up the line being written, no more.

const scanHeight = 700;

/** Boxes [x, y, w, h] of the lines of writing, top to bottom, in pixels of the image. */
export function lineBands(image) {
  const scale = Math.min(1, scanHeight / image.naturalHeight);
  const [width, height] = [image.naturalWidth, image.naturalHeight].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const ink = canvas.getContext("2d", { willReadFrequently: true });
  ink.drawImage(image, 0, 0, width, height);
  const { data } = ink.getImageData(0, 0, width, height);
  const grey = Float32Array.from({ length: width * height }, (_, at) => 0.3 * data[4 * at] + 0.59 * data[4 * at + 1] + 0.11 * data[4 * at + 2]);
  return bandsOf(grey, width, height).map((box) => box.map((side) => side / scale));
}

/** The same from luminance, 0 to 255, row by row; boxes in its own pixels. */
export function bandsOf(grey, width, height) {
  const dark = darkPixels(grey, width, height);
  clearOutside(dark, paperBox(grey, width, height), width, height);
  const rows = smooth(Float32Array.from({ length: height }, (_, y) => {
    let sum = 0;
    for (let x = 0; x < width; x += 1) sum += dark[y * width + x];
    return sum;
  }), 2);
  const busy = [...rows].sort((a, b) => a - b)[Math.floor(height * 0.9)];
  const floor = Math.max(busy * 0.22, width * 0.004);
  const bands = [];
  let from = -1;
  for (let y = 0; y <= height; y += 1) {
    const isInk = y < height && rows[y] > floor;
    if (isInk && from < 0) from = y;
    if (!isInk && from >= 0) {
      bands.push([from, y]);
      from = -1;
    }
  }
  const typical = median(bands.map(([top, bottom]) => bottom - top));
  return bands
    .filter(([top, bottom]) => bottom - top >= Math.max(4, typical * 0.4))
    .map(([top, bottom]) => boxAround(dark, width, height, top, bottom));
}

/** 1 where a pixel is clearly darker than its surroundings, so that shade and paper colour do not count. */
function darkPixels(grey, width, height) {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0, row = 0; x < width; x += 1) {
      row += grey[y * width + x];
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
    }
  const reach = Math.max(8, Math.round(height / 28));
  return Uint8Array.from(grey, (value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const [x0, x1] = [Math.max(0, x - reach), Math.min(width, x + reach)];
    const [y0, y1] = [Math.max(0, y - reach), Math.min(height, y + reach)];
    const sum = sums[y1 * (width + 1) + x1] - sums[y0 * (width + 1) + x1] - sums[y1 * (width + 1) + x0] + sums[y0 * (width + 1) + x0];
    return value < (sum / ((x1 - x0) * (y1 - y0))) * 0.84 ? 1 : 0;
  });
}

/** Where the paper is, when it lies on something darker: [left, top, right, bottom], a little inside its edges. */
function paperBox(grey, width, height) {
  const bright = 0.55 * [...grey].filter((_, at) => at % 17 === 0).sort((a, b) => a - b).at(-Math.ceil(grey.length / 85) - 1);
  const columns = new Float32Array(width);
  const rows = new Float32Array(height);
  grey.forEach((value, at) => {
    if (value < bright) return;
    columns[at % width] += 1 / height;
    rows[Math.floor(at / width)] += 1 / width;
  });
  const [left, right] = longestRun(columns);
  const [top, bottom] = longestRun(rows);
  return [left, top, right, bottom];
}

/** The longest stretch where most of a column or row is paper; drawn in a little where it does not end with the image. */
function longestRun(shares) {
  let best = [0, 0];
  let from = 0;
  for (let at = 0; at <= shares.length; at += 1) {
    if (at < shares.length && shares[at] > 0.5) continue;
    if (at - from > best[1] - best[0]) best = [from, at];
    from = at + 1;
  }
  const air = Math.round(shares.length * 0.025);
  return [best[0] > 0 ? best[0] + air : 0, best[1] < shares.length ? best[1] - air : shares.length];
}

/** @param {Uint8Array} dark @param {number[]} box @param {number} width @param {number} height */
function clearOutside(dark, [left, top, right, bottom], width, height) {
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if (x < left || x >= right || y < top || y >= bottom) dark[y * width + x] = 0;
}

function smooth(values, reach) {
  return values.map((_, at) => {
    const near = values.subarray(Math.max(0, at - reach), at + reach + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Sides drawn to the ink, with a little air. */
function boxAround(dark, width, height, top, bottom) {
  const columns = [];
  for (let x = 0; x < width; x += 1)
    for (let y = top; y < bottom; y += 1)
      if (dark[y * width + x]) {
        columns.push(x);
        break;
      }
  const air = (bottom - top) * 0.25;
  const left = columns[Math.floor(columns.length * 0.01)] ?? 0;
  const right = columns[Math.floor(columns.length * 0.99)] ?? width;
  const y = Math.max(0, top - air);
  return [Math.max(0, left - air), y, Math.min(width, right + air) - Math.max(0, left - air), Math.min(height, bottom + air) - y];
}

/** The box of line `number` of a text (from 1): by order of the lines that are not blank. Null on a blank line, and
    where the image and the text are too unlike in their number of lines to say. */
export function boxOfLine(boxes, text, number) {
  const lines = text.split("\n");
  if (!boxes?.length || !lines[number - 1]?.trim()) return null;
  const before = lines.slice(0, number - 1).filter((line) => line.trim()).length;
  const count = lines.filter((line) => line.trim()).length;
  // While the text is being written it is shorter than the page: its first lines are the page's first lines.
  if (count <= boxes.length) return boxes[before];
  if (count > boxes.length * 1.6) return null;
  return boxes[Math.min(boxes.length - 1, Math.round((before * (boxes.length - 1)) / (count - 1)))];
}
