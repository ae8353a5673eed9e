// `npm run sources`: lists the third-party parts of our checks that have a newer version than ours, and the changes
// changed in those parts of Google's description of its API that we use. Ends with 1 if something changed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareDescriptions } from './compare-descriptions.mjs';
import { ROOT } from './run.mjs';

const call = (program, ...args) =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] });
const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');
const find = (file, pattern) => pattern.exec(read(file))?.[1] ?? '(no version found)';
const { devDependencies } = JSON.parse(read('package.json'));

const onNpm = (name, note = '') => ({
  name,
  note,
  ours: devDependencies[name],
  newest: () => call('npm', 'view', name, 'version'),
});

/** Google's client for Python carries its description of the API. The version that we have compared our adapter with. */
const PYTHON_CLIENT = 'google-api-python-client';
const COMPARED = '2.202.0';
const DOCUMENT = 'googleapiclient/discovery_cache/documents/youtube.v3.json';

const SOURCES = [
  onNpm('oidc-provider'),
  onNpm('@googleapis/youtube', 'Version 35 is the last one for Node 20.'),
  {
    name: PYTHON_CLIENT,
    ours: COMPARED,
    newest: () => /\(([\d.]+)\)/.exec(call('python3', '-m', 'pip', 'index', 'versions', PYTHON_CLIENT))?.[1],
  },
  {
    name: 'org.keycloak:keycloak-quarkus-dist',
    ours: find('scripts/issuers.mjs', /KEYCLOAK = '([\d.]+)'/),
    newest: () => {
      const get = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get';
      const artifact = '-Dartifact=org.keycloak:keycloak-quarkus-dist:LATEST:pom';
      const said = call('mvn', '--batch-mode', '--update-snapshots', '--debug', get, artifact, '-Dtransitive=false');
      const folder = /Writing tracking file (\S*)resolver-status/.exec(said)?.[1] ?? '';
      const metadata = readdirSync(folder).find((file) => /^maven-metadata-.*\.xml$/.test(file)) ?? '';
      return /<release>([^<]+)/.exec(readFileSync(path.join(folder, metadata), 'utf8'))?.[1];
    },
  },
];

/** Reads the document of one version of Google's client. */
function readDescription(version) {
  const folder = mkdtempSync(path.join(tmpdir(), 'description-'));
  try {
    const options = ['--no-deps', '--only-binary=:all:', '--quiet', '--disable-pip-version-check', '--dest', folder];
    call('python3', '-m', 'pip', 'download', `${PYTHON_CLIENT}==${version}`, ...options);
    const wheel = path.join(folder, readdirSync(folder)[0]);
    const print = 'import sys, zipfile; sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())';
    return JSON.parse(call('python3', '-c', print, wheel, DOCUMENT));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let changed = 0;
for (const { name, ours, newest, note = '' } of SOURCES) {
  let latest;
  try {
    latest = newest()?.trim();
  } catch {
    latest = undefined;
  }
  const is = latest === undefined ? 'cannot be looked up here' : latest === ours ? 'unchanged' : `newer: ${latest}`;
  if (latest !== undefined && latest !== ours) changed += 1;
  console.log(`${name} ${ours}: ${is}${note === '' || latest === ours ? '' : `. ${note}`}`);
  if (name !== PYTHON_CLIENT || latest === undefined || latest === ours) continue;
  const [before, after] = [readDescription(ours), readDescription(latest)];
  const differences = compareDescriptions(before, after, ['channels', 'playlistItems', 'videos']);
  console.log(`  Google's description of the YouTube Data API, ${before.revision} to ${after.revision}:`);
  for (const line of differences.length > 0 ? differences : ['nothing that we use']) console.log(`  ${line}`);
}
process.exitCode = changed > 0 ? 1 : 0;
