// Compiles src into dist, copies other files there, and bundles the workflows and the console. Builds the client package, and
// compiles the example caller, which uses it, into its own dist. Does nothing if no source has changed since the last build.
import './install.mjs';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildClient, DIST as CLIENT_DIST, SOURCES as CLIENT_SOURCES } from '../clients/typescript/build.mjs';
import { buildConsole, CONSOLE, CONSOLE_SOURCES } from './console.mjs';
import { exclusively } from './exclusively.mjs';
import { ROOT, run } from './run.mjs';

const SRC = path.join(ROOT, 'src');
const DIST = path.join(ROOT, 'dist');
const STAMP = path.join(DIST, '.build-stamp');
/** One bundle for workers without a deployment version, one for workers with a version. */
const BUNDLES = ['index', 'versioned'].map((name) => ({
  entry: path.join(DIST, 'workflows', `${name}.js`),
  file: path.join(DIST, 'workflow-bundles', `${name}.js`),
}));
/** The interceptors that the workflow bundles load. */
const INTERCEPTORS = path.join(DIST, 'workflows', 'trace-context.js');
const CALLER = path.join(ROOT, 'examples', 'caller');
const TYPESCRIPT = /\.tsx?$/;

const PROGRAMS = [
  {
    project: path.join(ROOT, 'tsconfig.build.json'),
    src: SRC,
    dist: DIST,
    keep: [STAMP, ...BUNDLES.map(({ file }) => file)],
    apart: 'console',
  },
  { project: path.join(CALLER, 'tsconfig.json'), src: path.join(CALLER, 'src'), dist: path.join(CALLER, 'dist') },
];

/** @param apart the name of a subfolder to skip */
const filesIn = (folder, apart) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => path.relative(folder, file).split(path.sep)[0] !== apart)
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

/** Reads the digests of the last complete build: of the programs, the workflows and the console. */
function readStamp() {
  const [programs, workflows, page] = existsSync(STAMP) ? readFileSync(STAMP, 'utf8').split('\n') : [];
  return { programs, workflows, page };
}

/** @param {{ project: string, src: string, dist: string, keep?: string[], apart?: string }} program */
async function compile({ project, src, dist, keep = [], apart }) {
  const typescript = path.join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
  if ((await run(process.execPath, [typescript, '-p', project])) !== 0) {
    console.error('The sources do not compile.');
    process.exit(1);
  }
  const outputs = new Set(keep);
  for (const source of filesIn(src, apart)) {
    const target = path.join(dist, path.relative(src, source));
    if (TYPESCRIPT.test(source)) {
      const script = target.replace(TYPESCRIPT, '.js');
      outputs.add(script).add(`${script}.map`);
    } else {
      cpSync(source, target);
      outputs.add(target);
    }
  }
  for (const file of filesIn(dist, apart)) {
    if (!outputs.has(file)) rmSync(file); // Its source is gone.
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

/** A worker with a prebuilt bundle starts about a second faster and needs half the memory. */
async function bundleWorkflows() {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  for (const { entry, file } of BUNDLES) {
    const { code } = await bundleWorkflowCode({
      workflowsPath: entry,
      workflowInterceptorModules: [INTERCEPTORS],
      logger: new DefaultLogger('WARN'),
    });
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, withoutPlace(code, `workflow-bundle-${path.basename(file)}`));
  }
}

/** The bundle with a source map that does not depend on where it was built, nor on chance: a release can be built again. */
function withoutPlace(code, name) {
  const [found = '', start = '', map = ''] = /^(\/\/# sourceMappingURL=data:.*;base64,)(.*)$/m.exec(code) ?? [];
  if (found === '') throw new Error('The bundle of the workflows has no source map.');
  const { file, ...rest } = JSON.parse(
    Buffer.from(map, 'base64').toString('utf8').replaceAll(`${ROOT}${path.sep}`, ''),
  );
  return code.replace(found, () => start + Buffer.from(JSON.stringify({ file: name, ...rest })).toString('base64'));
}

const shared = [import.meta.filename, path.join(ROOT, 'package-lock.json'), path.join(ROOT, 'package.json')];
const configuration = [path.join(ROOT, 'tsconfig.json'), ...PROGRAMS.map(({ project }) => project)];
const clientFiles = () => CLIENT_SOURCES.flatMap((source) => (statSync(source).isFile() ? [source] : filesIn(source)));
const digestOfPrograms = () =>
  digest([...shared, ...configuration, ...clientFiles(), ...PROGRAMS.flatMap(({ src, apart }) => filesIn(src, apart))]);
const digestOfWorkflows = () =>
  digest([
    ...shared,
    ...new Set([INTERCEPTORS, ...BUNDLES.map(({ entry }) => entry)].flatMap((entry) => [...loadedBy(entry)].sort())),
  ]);
const digestOfConsole = () =>
  digest([...shared, path.join(ROOT, 'scripts', 'console.mjs'), ...filesIn(CONSOLE_SOURCES)]);

function isBuilt() {
  const { programs, page } = readStamp();
  return existsSync(CLIENT_DIST) && programs === digestOfPrograms() && page === digestOfConsole();
}

async function build() {
  console.log('Building…');
  const startedAt = Date.now();
  const before = readStamp();
  const [programs, page] = [digestOfPrograms(), digestOfConsole()]; // Computed first: the next build picks up later changes.
  mkdirSync(DIST, { recursive: true });
  rmSync(STAMP, { force: true }); // An aborted build must not look complete.
  const bundled = page === before.page && existsSync(CONSOLE) ? undefined : buildConsole();
  buildClient();
  await Promise.all(PROGRAMS.map(compile));
  const workflows = digestOfWorkflows();
  if (workflows !== before.workflows || BUNDLES.some(({ file }) => !existsSync(file))) await bundleWorkflows();
  await bundled;
  writeFileSync(STAMP, `${programs}\n${workflows}\n${page}\n`);
  console.log(`Built (${((Date.now() - startedAt) / 1000).toFixed(1)} s).`);
}

if (!isBuilt()) {
  await exclusively(async () => {
    if (!isBuilt()) await build(); // Another command may have built while this one waited.
  });
}
