// `npm run release -- 0.2.0`: gives the checkout that version, everywhere it is named, and dates its part of the changelog. You
// commit and tag it. `npm run release -- --build` then builds the artefacts of the version that is checked out into release/.
import './install.mjs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findHelm } from './find-helm.mjs';
import { listLicenses } from './licenses.mjs';
import { ROOT, run } from './run.mjs';

const USAGE = 'Usage: npm run release -- 0.2.0, or npm run release -- --build';
const VERSION = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/;
const CHART = path.join('deploy', 'helm', 'social-accounts');
const CLIENT = path.join('clients', 'typescript');

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

function setVersion(version) {
  if (call('git', ['status', '--porcelain']) !== '') throw new Misuse('Commit your changes first.');
  if (call('git', ['tag', '--list', `v${version}`]) !== '') throw new Misuse(`Version ${version} is released already.`);
  const notes = /\n## Unreleased\n([\s\S]*?)(?=\n## |$)/.exec(read('CHANGELOG.md'))?.[1]?.trim() ?? '';
  if (notes === '') throw new Misuse('CHANGELOG.md says nothing under "Unreleased".');
  const date = new Date().toISOString().slice(0, 10);
  edit('CHANGELOG.md', /\n## Unreleased\n/, `\n## Unreleased\n\n## ${version}, ${date}\n`);
  for (const file of ['package.json', path.join(CLIENT, 'package.json')]) {
    edit(file, /"version": "[^"]+"/, `"version": "${version}"`);
  }
  edit(path.join(CHART, 'Chart.yaml'), /^version: .+$/m, `version: ${version}`);
  edit(path.join(CHART, 'Chart.yaml'), /^appVersion: .+$/m, `appVersion: ${version}`);
  call('npm', ['install', '--package-lock-only', '--ignore-scripts']);
  console.log(`The checkout is version ${version}. Look at the changes, and then:

  git commit --all --message 'release: ${version}'
  git tag --annotate v${version} --message 'Version ${version}'
  npm run release -- --build`);
}

async function build() {
  const { version } = JSON.parse(read('package.json'));
  const target = at('release');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  if ((await run(process.execPath, ['scripts/build.mjs'])) !== 0) throw new Error('The build fails.');
  packService(target, `social-accounts-service-${version}`);
  call('npm', ['pack', '--silent', '--pack-destination', target], { cwd: at(CLIENT) });
  call(findHelm(), ['package', at(CHART), '--destination', target], { stdio: ['ignore', 'ignore', 'inherit'] });
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

/** The software bill of materials of the packages that run in production, in CycloneDX. */
function createSbom() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'];
  const sbom = JSON.parse(call('npm', args, { maxBuffer: 1e8 }));
  sbom.metadata.component.name = JSON.parse(read('package.json')).name; // npm gives the name of the folder.
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** The content of an image, for those who run it without containers: `npm ci --omit=dev` adds the packages. */
function packService(target, name) {
  const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  const leftOut = [at('dist', 'local'), at('dist', 'sandbox')];
  const parts = ['dist', 'migrations', 'package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'CHANGELOG.md'];
  for (const part of [
    ...parts,
    path.join('ops', 'postgres'),
    path.join('ops', 'prometheus'),
    path.join('ops', 'grafana'),
  ]) {
    cpSync(at(part), path.join(folder, name, part), { recursive: true, filter: (source) => !leftOut.includes(source) });
  }
  // The same files give the same archive.
  const date = call('git', ['log', '-1', '--format=%cI']).trim();
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=${date}`, '--mode=go=rX,u+rw'];
  call('tar', [...same, '--create', '--gzip', '--file', path.join(target, `${name}.tar.gz`), '-C', folder, name]);
  rmSync(folder, { recursive: true });
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { build: { type: 'boolean' } } });
  const [version = ''] = positionals;
  if (values.build && positionals.length === 0) await build();
  else if (!values.build && positionals.length === 1 && VERSION.test(version)) setVersion(version);
  else throw new Misuse(USAGE);
} catch (error) {
  if (!(error instanceof Misuse) && error?.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
  console.error(error instanceof Misuse ? error.message : USAGE);
  process.exitCode = 2;
}
