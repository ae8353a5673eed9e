// `npm run release -- 0.2.0`: stops if a case of the benchmarks got slower since the last tag, unless `--slower` accepts that. Writes a
// filled database of that version for the test of upgrades, gives the checkout the version, everywhere it is named, and dates its part
// of the changelog. You commit and tag it. `npm run release -- --build` then builds the
// artefacts of the version that is checked out into release/.
import './codegen.mjs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findHelm } from './find-helm.mjs';
import { listLicenses } from './licenses.mjs';
import { ROOT, run } from './run.mjs';

const USAGE = 'Usage: npm run release -- 0.2.0 [--slower], or npm run release -- --build';
const VERSION = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/;
const CHART = path.join('deploy', 'helm', 'social-accounts');
/** The npm packages. */
const PACKAGES = [path.join('clients', 'typescript'), path.join('clients', 'command-line')];

/** A usage error, reported in one line. */
class Misuse extends Error {}

const at = (...names) => path.join(ROOT, ...names);
const read = (...names) => readFileSync(at(...names), 'utf8');
const call = (program, args, options = {}) => execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', ...options });

/** Replaces `pattern` once. @throws if the file does not match, so that a version is never half set. */
function edit(file, pattern, replacement) {
  const before = read(file);
  if (!pattern.test(before)) throw new Error(`${file} has no ${pattern}`);
  writeFileSync(at(file), before.replace(pattern, replacement));
}

async function setVersion(version, { slower }) {
  if (call('git', ['status', '--porcelain']) !== '') throw new Misuse('Commit your changes first.');
  if (call('git', ['tag', '--list', `v${version}`]) !== '') throw new Misuse(`Version ${version} is released already.`);
  const notes = /\n## Unreleased\n([\s\S]*?)(?=\n## |$)/.exec(read('CHANGELOG.md'))?.[1]?.trim() ?? '';
  if (notes === '') throw new Misuse('CHANGELOG.md has nothing under "Unreleased".');
  if (!slower) await compareWithLast();
  await writeFixture(version); // First, so that nothing is changed if it fails.
  const date = new Date().toISOString().slice(0, 10);
  edit('CHANGELOG.md', /\n## Unreleased\n/, `\n## Unreleased\n\n## ${version}, ${date}\n`);
  for (const file of ['package.json', ...PACKAGES.map((folder) => path.join(folder, 'package.json'))]) {
    edit(file, /"version": "[^"]+"/, `"version": "${version}"`);
  }
  edit(path.join(CHART, 'Chart.yaml'), /^version: .+$/m, `version: ${version}`);
  edit(path.join(CHART, 'Chart.yaml'), /^appVersion: .+$/m, `appVersion: ${version}`);
  call('npm', ['install', '--package-lock-only', '--ignore-scripts']);
  console.log(`The checkout is version ${version}. Look at the changes, and then:

  git add test/releases/${version}
  git commit --all --message 'release: ${version}'
  git tag --annotate v${version} --message 'Version ${version}'
  npm run release -- --build
  git push --follow-tags`);
}

/** The first release has nothing to compare with. */
async function compareWithLast() {
  const [last] = call('git', ['tag', '--list', 'v*', '--merged', 'HEAD', '--sort', '-version:refname']).split('\n');
  if (last === '') return;
  const code = await run(process.execPath, [path.join('bench', 'main.mjs'), '--guard', '--base', last]);
  if (code === 1) throw new Misuse(`It is slower than ${last}. Repair that, or release with --slower.`);
  if (code !== 0) throw new Misuse(`It could not be compared with ${last}. Repair that, or release with --slower.`);
}

/**
 * Fills a database of this version, for the test that upgrades it from now on, and keeps its workflows and recorded runs, for the tests
 * that a rolling upgrade and the way back are safe.
 */
async function writeFixture(version) {
  if ((await run(process.execPath, ['scripts/build.mjs'])) !== 0) throw new Error('The build fails.');
  process.env.RELEASE_FIXTURE = version;
  const vitest = path.join('node_modules', 'vitest', 'vitest.mjs');
  const files = ['test/store/releases.test.ts', 'test/workflows/replay.test.ts'];
  const code = await run(process.execPath, [vitest, 'run', ...files, '-t', 'is written']);
  if (code !== 0) throw new Error('The fixture was not written.');
}

async function build() {
  const { version } = JSON.parse(read('package.json'));
  const target = at('release');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  if ((await run(process.execPath, ['scripts/build.mjs'])) !== 0) throw new Error('The build fails.');
  packService(target, `social-accounts-service-${version}`);
  for (const folder of PACKAGES) packNpm(target, folder);
  packChart(target, version);
  writeFileSync(path.join(target, `social-accounts-service-${version}.cdx.json`), createSbom());
  writeFileSync(path.join(target, `social-accounts-service-${version}.licenses.txt`), `${listLicenses().join('\n')}\n`);
  const sums = readdirSync(target).map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(path.join(target, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  });
  writeFileSync(path.join(target, 'SHA256SUMS'), sums.join(''));
  console.log(`release/ holds:\n\n${sums.join('')}`);
}

/** Packs an npm package. Builds it first: `npm run` hands on that no package runs scripts, so `npm pack` does not. */
function packNpm(target, folder) {
  const cwd = at(folder);
  call(process.execPath, ['build.mjs'], { cwd });
  const [{ filename, files }] = JSON.parse(call('npm', ['pack', '--json', '--pack-destination', target], { cwd }));
  const { bin = {}, exports = {} } = JSON.parse(read(folder, 'package.json'));
  const packed = new Set(files.map((file) => file.path));
  for (const file of [...Object.values(bin), ...listPaths(exports), 'LICENSE']) {
    if (!packed.has(path.normalize(file))) throw new Error(`${filename} lacks ${file}.`);
  }
}

const listPaths = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(listPaths));

/** When the commit was made, in place of now: a release can be built again, and compared. */
const readCommitDate = () => call('git', ['log', '-1', '--format=%cI']).trim();

/** The software bill of materials of the packages that run in production, in CycloneDX. */
function createSbom() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'];
  const sbom = JSON.parse(call('npm', args, { maxBuffer: 1e8 }));
  sbom.metadata.component.name = JSON.parse(read('package.json')).name; // npm gives the name of the folder.
  sbom.metadata.timestamp = new Date(readCommitDate()).toISOString();
  delete sbom.serialNumber;
  const digest = createHash('sha256').update(JSON.stringify(sbom)).digest('hex');
  // A UUID of version 8 (RFC 9562, section 5.8): npm's is random.
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return `${JSON.stringify({ ...sbom, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`;
}

/** The chart as Helm packs it, but for the times of its files: Helm writes the present. */
function packChart(target, version) {
  const folder = mkdtempSync(path.join(tmpdir(), 'chart-'));
  call(findHelm(), ['package', at(CHART), '--destination', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const name = `social-accounts-${version}.tgz`;
  call('tar', ['--extract', '--touch', '--gzip', '--file', path.join(folder, name), '-C', folder]);
  archive(path.join(target, name), folder, 'social-accounts');
  rmSync(folder, { recursive: true });
}

/** Packs a folder. The same files give the same archive. */
function archive(file, parent, folder) {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+rw'];
  const packing = [`--mtime=${readCommitDate()}`, '--use-compress-program=gzip --no-name'];
  call('tar', [...same, ...packing, '--create', '--file', file, '-C', parent, folder]);
}

/** The content of an image, for those who run it without containers: `npm ci --omit=dev` adds the packages. */
function packService(target, name) {
  const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  const parts = ['dist', 'migrations', 'package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'CHANGELOG.md'];
  for (const part of [
    ...parts,
    path.join('ops', 'postgres'),
    path.join('ops', 'prometheus'),
    path.join('ops', 'grafana'),
  ]) {
    cpSync(at(part), path.join(folder, name, part), { recursive: true });
  }
  archive(path.join(target, `${name}.tar.gz`), folder, name);
  rmSync(folder, { recursive: true });
}

try {
  const options = { build: { type: 'boolean' }, slower: { type: 'boolean' } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [version = ''] = positionals;
  if (values.build && positionals.length === 0) await build();
  else if (!values.build && positionals.length === 1 && VERSION.test(version)) await setVersion(version, values);
  else throw new Misuse(USAGE);
} catch (error) {
  if (!(error instanceof Misuse) && error?.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
  console.error(error instanceof Misuse ? error.message : USAGE);
  process.exitCode = 2;
}
