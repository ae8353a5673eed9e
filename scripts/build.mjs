// Compiles src into dist, puts beside it what is not TypeScript, and bundles the workflows. When nothing has changed
// since the last time it does nothing.
import './install.mjs';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exclusively } from './exclusively.mjs';
import { ROOT, run } from './run.mjs';

const SRC = path.join(ROOT, 'src');
const DIST = path.join(ROOT, 'dist');
const STAMP = path.join(DIST, '.build-stamp');
const WORKFLOWS = path.join(DIST, 'workflows', 'index.js');
const BUNDLE = path.join(DIST, 'workflow-bundle.js');
const TYPESCRIPT = /\.tsx?$/;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

/** One digest over names and contents. */
function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${path.relative(ROOT, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** What the last finished build was made from: a digest of all sources, and one of what the workflows load. */
function readStamp() {
  const [sources, workflows] = existsSync(STAMP) ? readFileSync(STAMP, 'utf8').split('\n') : [];
  return { sources, workflows };
}

async function compile(sources) {
  const typescript = path.join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
  if ((await run(process.execPath, [typescript, '-p', 'tsconfig.build.json'])) !== 0) {
    console.error('The sources do not compile.');
    process.exit(1);
  }
  const outputs = new Set();
  for (const source of sources) {
    const target = path.join(DIST, path.relative(SRC, source));
    if (TYPESCRIPT.test(source)) {
      const script = target.replace(TYPESCRIPT, '.js');
      outputs.add(script).add(`${script}.map`);
    } else {
      cpSync(source, target);
      outputs.add(target);
    }
  }
  for (const file of filesIn(DIST)) {
    if (!outputs.has(file) && file !== STAMP && file !== BUNDLE) rmSync(file); // Its source is gone.
  }
}

/** The compiled files that `entry` loads from this project, itself included. */
function loadedBy(entry, found = new Set()) {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const [, specifier] of readFileSync(entry, 'utf8').matchAll(/\b(?:from|import)\s*['"](\.[^'"]+)['"]/g)) {
    loadedBy(path.join(path.dirname(entry), specifier), found);
  }
  return found;
}

/** A worker given a finished bundle starts about a second sooner, and in half the memory. */
async function bundleWorkflows() {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: new DefaultLogger('WARN') });
  writeFileSync(BUNDLE, code);
}

async function build() {
  const shared = [import.meta.filename, path.join(ROOT, 'package-lock.json'), path.join(ROOT, 'package.json')];
  const configuration = ['tsconfig.json', 'tsconfig.build.json'].map((name) => path.join(ROOT, name));
  const sources = filesIn(SRC);
  const before = readStamp();
  const sourcesDigest = digest([...shared, ...configuration, ...sources]);
  if (sourcesDigest === before.sources) return;

  console.log('Building…');
  const startedAt = Date.now();
  mkdirSync(DIST, { recursive: true });
  rmSync(STAMP, { force: true }); // A build broken off must not pass for a finished one.
  await compile(sources);
  const workflowsDigest = digest([...shared, ...[...loadedBy(WORKFLOWS)].sort()]);
  if (workflowsDigest !== before.workflows || !existsSync(BUNDLE)) await bundleWorkflows();
  writeFileSync(STAMP, `${sourcesDigest}\n${workflowsDigest}\n`);
  console.log(`Built (${((Date.now() - startedAt) / 1000).toFixed(1)} s).`);
}

await exclusively(build);
