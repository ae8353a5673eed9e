// node bench/charts.mjs: draws the figures of the last read and process benchmarks, in .cache/bench, as charts in docs/images.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../scripts/run.mjs';

const FIGURES = path.join(ROOT, '.cache', 'bench');
const IMAGES = path.join(ROOT, 'docs', 'images');
const [WIDTH, ROW, LEFT, RIGHT] = [800, 20, 190, 150];
const COLORS = { bare: '#9aa5b1', mercurius: '#c9a66b', yoga: '#b58bb5', libraries: '#9aa5b1', api: '#2b6cb0' };

const read = (name) => {
  const file = path.join(FIGURES, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};
const text = (x, y, words, more = '') => `<text x="${x}" y="${y}" ${more}>${words}</text>`;
const write = (file, title, height, parts) => {
  const font = 'font-family="sans-serif" font-size="12"';
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ${font}><title>${title}</title>`;
  const background = '<rect width="100%" height="100%" fill="white"/>';
  const parted = [background, text(10, 20, title, 'font-weight="bold"'), ...parts].join('\n');
  writeFileSync(path.join(IMAGES, file), `${head}\n${parted}\n</svg>\n`);
};

/**
 * Horizontal bars.
 * @param {{ label: string, name: string, value: number, says: string }[]} bars
 */
function drawBars(file, title, bars) {
  const most = Math.max(...bars.map(({ value }) => value));
  const parts = bars.flatMap(({ label, name, value, says }, index) => {
    const y = 34 + index * ROW;
    const width = (value / most) * (WIDTH - LEFT - RIGHT);
    return [
      text(LEFT - 8, y + 13, label, 'text-anchor="end"'),
      `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 4}" fill="${COLORS[name]}"/>`,
      text((LEFT + width + 6).toFixed(1), y + 13, says),
    ];
  });
  write(file, title, 44 + bars.length * ROW, parts);
}

/**
 * One line for each program, from zero.
 * @param {{ name: string, values: number[] }[]} lines
 */
function drawLines(file, title, lines) {
  const [height, top, bottom] = [260, 40, 220];
  const most = Math.max(...lines.flatMap(({ values }) => values));
  const count = Math.max(...lines.map(({ values }) => values.length));
  const xOf = (index) => 50 + (index / Math.max(1, count - 1)) * (WIDTH - 50 - RIGHT);
  const yOf = (value) => bottom - (value / most) * (bottom - top);
  const parts = lines.flatMap(({ name, values }) => {
    const points = values.map((value, index) => `${xOf(index).toFixed(1)},${yOf(value).toFixed(1)}`).join(' ');
    const last = values.at(-1) ?? 0;
    return [
      `<polyline points="${points}" fill="none" stroke="${COLORS[name]}" stroke-width="2"/>`,
      text((xOf(values.length - 1) + 8).toFixed(1), (yOf(last) + 4).toFixed(1), `${name}: ${Math.round(last)} MB`),
    ];
  });
  const minutes = Array.from({ length: count }, (_, index) =>
    text(xOf(index).toFixed(1), bottom + 18, String(index + 1), 'text-anchor="middle"'),
  );
  const axis = `<line x1="50" y1="${bottom}" x2="${WIDTH - RIGHT}" y2="${bottom}" stroke="#555"/>`;
  write(file, title, height, [axis, ...minutes, text(50, bottom + 36, 'minute'), ...parts]);
}

const reads = read('reads.json');
if (reads !== undefined) {
  const rows = Object.entries(reads.results).flatMap(([label, { '16 connections': programs }]) =>
    programs.map((program) => ({ label: `${label}, ${program.name}`, ...program })),
  );
  const ratios = rows.map(({ label, name, perSecond, ofFirst: { median } }) => {
    return { label, name, value: median, says: `${median.toFixed(2)} (${Math.round(perSecond)}/s)` };
  });
  drawBars('reads-throughput.svg', 'Throughput of reads, as a share of the bare program (16 at a time)', ratios);
  const costs = rows.map(({ label, name, cpuMsPerRequest: own, postgresCpuMsPerRequest: postgres }) => {
    return { label, name, value: own, says: `${own.toFixed(2)} ms, Postgres ${postgres.toFixed(2)}` };
  });
  drawBars('reads-processor-time.svg', 'Processor time of one read in the program (16 at a time)', costs);
}
const processes = read('processes.json');
if (processes !== undefined) {
  const lines = processes.results.map(({ name, loadedMb }) => ({ name, values: loadedMb }));
  drawLines('memory-under-load.svg', 'Memory under full load, in MB', lines);
}
