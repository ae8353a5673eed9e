// Compiles each `src` folder into the `dist` folder beside it: the service, the sandbox, the local stack, and the example caller.
// Bundles the workflows and the console into the service's `dist`, and builds the client package. Does nothing if no source has
// changed since the last build.
import './codegen.mjs';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { buildClient, DIST as CLIENT_DIST, SOURCES as CLIENT_SOURCES } from '../clients/typescript/build.mjs';
import { clearBuildLog, describeBuildLog, noteInBuildLog } from './build-log.mjs';
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
const TYPESCRIPT = /\.tsx?$/;

const at = (...names) => path.join(ROOT, ...names);
const PROGRAMS = [
  {
    project: at('tsconfig.build.json'),
    src: SRC,
    dist: DIST,
    keep: [STAMP, ...BUNDLES.map(({ file }) => file)],
    apart: 'console',
  },
  { project: at('sandbox', 'tsconfig.json'), src: at('sandbox', 'src'), dist: at('sandbox', 'dist') },
  // It imports sources of the service, which the compiler would compile once more: so each file is compiled on its own.
  { src: at('local', 'src'), dist: at('local', 'dist') },
  {
    project: at('examples', 'caller', 'tsconfig.json'),
    src: at('examples', 'caller', 'src'),
    dist: at('examples', 'caller', 'dist'),
  },
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

/** @param {{ project?: string, src: string, dist: string, keep?: string[], apart?: string }} program */
async function compile({ project, src, dist, keep = [], apart }) {
  if (project === undefined) await compileEach(src, dist);
  else await compileProject(project);
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
  removeEmptyFolders(dist, apart);
}

function removeEmptyFolders(parent, apart) {
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === apart) continue;
    const folder = path.join(parent, entry.name);
    removeEmptyFolders(folder);
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  }
}

async function compileProject(project) {
  const typescript = path.join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
  if ((await run(process.execPath, [typescript, '-p', project])) === 0) return;
  console.error('The sources do not compile.');
  process.exit(1);
}

/** Compiles each file without its imports. An import of another program's `src` becomes one of its `dist`. */
async function compileEach(src, dist) {
  const { default: ts } = await import('typescript');
  const { ESNext } = ts.ModuleKind;
  const { ES2023 } = ts.ScriptTarget;
  const compilerOptions = {
    module: ESNext,
    target: ES2023,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  for (const source of filesIn(src).filter((file) => TYPESCRIPT.test(file))) {
    const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), { fileName: source, compilerOptions });
    const target = path.join(dist, path.relative(src, source)).replace(TYPESCRIPT, '.js');
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, outputText.replaceAll(/(["'])((?:\.\.\/)+(?:[\w-]+\/)*)src\//g, '$1$2dist/'));
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
      logger: new DefaultLogger('WARN', ({ message }) => noteInBuildLog(message)),
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
const configuration = [path.join(ROOT, 'tsconfig.json'), ...PROGRAMS.flatMap(({ project = [] }) => project)];
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
  const outputs = [CLIENT_DIST, ...PROGRAMS.map(({ dist }) => dist)];
  return outputs.every((folder) => existsSync(folder)) && programs === digestOfPrograms() && page === digestOfConsole();
}

async function build() {
  console.log('Building…');
  const startedAt = Date.now();
  clearBuildLog();
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
  console.log(`Built (${((Date.now() - startedAt) / 1000).toFixed(1)} s).${describeBuildLog()}`);
}

if (!isBuilt()) {
  await exclusively(async () => {
    if (!isBuilt()) await build(); // Another command may have built while this one waited.
  });
}
