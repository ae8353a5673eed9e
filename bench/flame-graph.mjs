// node bench/flame-graph.mjs PROFILE.cpuprofile OUTPUT.svg: draws a CPU profile as a flame graph, and prints where its time
// goes as a Markdown table. `npm run bench -- --profile FOLDER` writes such a profile.
import { readFileSync, writeFileSync } from 'node:fs';

/** Start-up is left out: the profile's first part, in ms. */
const SKIPPED_MS = 10_000;
const [WIDTH, ROW, MARGIN, LEAST] = [1_200, 16, 24, 0.002];

const [profileFile, svgFile] = process.argv.slice(2);
const profile = JSON.parse(readFileSync(profileFile, 'utf8'));
const nodes = new Map(profile.nodes.map((node) => [node.id, { ...node, selfMicros: 0 }]));

let atMicros = 0;
profile.samples.forEach((id, index) => {
  atMicros += profile.timeDeltas[index];
  if (atMicros > SKIPPED_MS * 1_000) nodes.get(id).selfMicros += profile.timeDeltas[index + 1] ?? 0;
});

/** Merges calls of the same function from the same place. The engine lists several nodes for one. */
function merge(ids) {
  const frames = new Map();
  for (const id of ids) {
    const { callFrame, selfMicros, children = [] } = nodes.get(id);
    if (callFrame.functionName === '(idle)') continue;
    const key = `${callFrame.functionName} ${callFrame.url}`;
    const frame = frames.get(key) ?? {
      name: callFrame.functionName || '(anonymous)',
      part: partOf(callFrame),
      self: 0,
      below: [],
    };
    frame.self += selfMicros;
    frame.below.push(...children);
    frames.set(key, frame);
  }
  return [...frames.values()].map(({ below, ...frame }) => {
    const children = merge(below);
    return { ...frame, children, total: frame.self + children.reduce((sum, { total }) => sum + total, 0) };
  });
}

/** The package, folder or part of Node that a function belongs to. */
function partOf({ functionName, url }) {
  if (functionName === '(garbage collector)') return 'garbage collection';
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (name !== undefined) return name;
  if (url.startsWith('node:') || url === '') return 'Node';
  const [, own] = /\/dist[^/]*\/(.+)\/[^/]+$/.exec(url) ?? [];
  return own === undefined ? 'compiled documents' : `src/${own}`;
}

const [root] = merge([profile.nodes[0].id]);
const hue = (text) => [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 60, 7);
const escapeXml = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const percent = (micros) => `${((micros / root.total) * 100).toFixed(1)} %`;

const boxes = [];
let depthOfAll = 0;
function draw(frame, x, depth) {
  const width = (frame.total / root.total) * WIDTH;
  if (width < LEAST * WIDTH) return;
  depthOfAll = Math.max(depthOfAll, depth);
  const label = `${frame.name} · ${frame.part}`;
  const text =
    width > 40
      ? `<text x="${(x + 3).toFixed(1)}" y="${depth * ROW + 12}">${escapeXml(label.slice(0, width / 6))}</text>`
      : '';
  boxes.push(
    `<g><title>${escapeXml(label)} ${percent(frame.total)}</title><rect x="${x.toFixed(1)}" y="${depth * ROW}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="hsl(${hue(frame.part)} 80% 65%)"/>${text}</g>`,
  );
  let left = x;
  for (const child of [...frame.children].sort((a, b) => b.total - a.total)) {
    draw(child, left, depth + 1);
    left += (child.total / root.total) * WIDTH;
  }
}
draw({ ...root, name: 'busy time', part: 'all' }, 0, 0);
const height = (depthOfAll + 1) * ROW + MARGIN;
writeFileSync(
  svgFile,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10"><title>Processor time of a read by function</title><rect width="100%" height="100%" fill="white"/>\n${boxes.join('\n')}\n</svg>\n`,
);

const parts = new Map();
(function add(frame) {
  parts.set(frame.part, (parts.get(frame.part) ?? 0) + frame.self);
  frame.children.forEach(add);
})(root);
console.log('| part | processor time |\n|---|---|');
for (const [part, micros] of [...parts].sort((a, b) => b[1] - a[1]).slice(0, 20))
  console.log(`| ${part} | ${percent(micros)} |`);
