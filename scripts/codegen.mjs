// Generates the code that git ignores, unless nothing has changed since the last time. Every command that needs that code imports
// this file. `npm run codegen` also writes the generated files that git keeps; `--check` fails if one of those is out of date.
import './install.mjs';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exclusively } from './exclusively.mjs';
import { ROOT } from './run.mjs';

const STAMP = path.join(ROOT, '.cache', 'generated.json');
const OPERATIONS = 'console/src/operations';
const SOURCES = [
  ...['package-lock.json', 'schema.graphql', 'admin.graphql'],
  ...['codegen.mjs', 'generate.mjs', 'admin-operations.mjs', 'console-operations.mjs'].map((name) => `scripts/${name}`),
  ...['codegen.mjs', 'generate-events.mjs', 'webhook-events.schema.json'].map((name) => `clients/typescript/${name}`),
];

const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');

function write(files) {
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(ROOT, file);
    mkdirSync(path.dirname(target), { recursive: true });
    if (!existsSync(target) || read(file) !== content) writeFileSync(target, content);
  }
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(existsSync(path.join(ROOT, file)) ? read(file) : '');
  return hash.digest('hex');
}

const digestOfSources = () =>
  digest([...SOURCES, ...readdirSync(path.join(ROOT, OPERATIONS)).map((name) => `${OPERATIONS}/${name}`)]);

/** The stamp names the outputs, so that a removed or edited one is written again. */
function isCurrent() {
  if (!existsSync(STAMP)) return false;
  const { sources, outputs, content } = JSON.parse(readFileSync(STAMP, 'utf8'));
  return sources === digestOfSources() && content === digest(outputs);
}

async function generate() {
  const { generateCode } = await import('./generate.mjs'); // Once its packages are installed.
  const sources = digestOfSources(); // Computed first: the next run picks up later changes.
  const files = await generateCode();
  write(files);
  const outputs = Object.keys(files);
  writeFileSync(STAMP, JSON.stringify({ sources, outputs, content: digest(outputs) }));
}

if (!isCurrent()) {
  await exclusively(async () => {
    if (!isCurrent()) await generate(); // Another command may have generated it while this one waited.
  });
}

if (import.meta.filename === process.argv[1]) {
  const { generateCopies } = await import('./generate.mjs');
  const copies = await generateCopies();
  const stale = Object.keys(copies).filter((file) => !existsSync(path.join(ROOT, file)) || read(file) !== copies[file]);
  if (!process.argv.includes('--check')) write(copies);
  else if (stale.length > 0) {
    console.error(`Out of date: ${stale.join(', ')}. Run \`npm run codegen\`.`);
    process.exitCode = 1;
  }
}
