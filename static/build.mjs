// Builds static/src into static/dist: app.js (every page), work.js (pages with an image or an editor),
// app.css, work.css, KaTeX's fonts and one sprite of icons. Names stay plain; Django's manifest storage hashes them.
import { build, context } from "esbuild";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const isWatching = process.argv.includes("--watch");

/** One <symbol> per icon named in src/icons.json, so that a page asks for a single cached file. */
async function writeIconSprite() {
  const names = JSON.parse(await readFile(join(here, "src", "icons.json"), "utf8"));
  const folder = join(here, "..", "node_modules", "lucide-static", "icons");
  const symbols = await Promise.all(
    names.map(async (name) => {
      const svg = await readFile(join(folder, `${name}.svg`), "utf8").catch(() => {
        throw new Error(`static/src/icons.json names "${name}", which lucide-static does not have`);
      });
      const body = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
      return `<symbol id="${name}" viewBox="0 0 24 24">${body.replace(/\s+/g, " ").trim()}</symbol>`;
    }),
  );
  await writeFile(
    join(dist, "icons.svg"),
    `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("\n")}</svg>\n`,
  );
}

/** Every browser we build for reads WOFF2, so KaTeX's two older copies of each font stay out. */
const onlyWoff2 = {
  name: "only-woff2",
  setup(builder) {
    builder.onLoad({ filter: /katex[\\/]dist[\\/]katex\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)/g, ""),
      loader: "css",
    }));
  },
};

const options = {
  entryPoints: {
    app: join(here, "src", "js", "app.js"),
    work: join(here, "src", "js", "work.js"),
    "app-style": join(here, "src", "css", "app.css"),
    "work-style": join(here, "src", "css", "work.css"),
  },
  outdir: dist,
  bundle: true,
  minify: !isWatching,
  sourcemap: isWatching ? "linked" : false,
  format: "iife",
  target: ["chrome123", "firefox120", "safari17.5"],
  loader: { ".woff2": "file" },
  plugins: [onlyWoff2],
  assetNames: "fonts/[name]",
  legalComments: "linked",
  logLevel: isWatching ? "info" : "warning",
};

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await writeIconSprite();
await copyFile(join(here, "src", "favicon.svg"), join(dist, "favicon.svg"));
if (isWatching) {
  const watcher = await context(options);
  await watcher.watch();
} else {
  await build(options);
}
