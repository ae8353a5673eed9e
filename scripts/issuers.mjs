// `npm run test:issuers`: people and operators sign in at Keycloak, a third-party OpenID server. Brings it from Maven Central, once.
import './codegen.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './run.mjs';

const KEYCLOAK = '26.7.3';
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack';

const CACHE = path.join(ROOT, '.cache', 'issuers');

const call = (program, args, options = {}) => execFileSync(program, args, { stdio: 'inherit', ...options });

/** Makes the folder of the server in the cache, in full or not at all. */
function keepKeycloak() {
  const kept = path.join(CACHE, `keycloak-${KEYCLOAK}`);
  if (existsSync(kept)) return kept;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(path.join(CACHE, 'draft-'));
  try {
    console.log(`Downloading Keycloak ${KEYCLOAK}, once…`);
    const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${KEYCLOAK}:zip`;
    call('mvn', ['--quiet', '--batch-mode', UNPACK, artifact, `-DoutputDirectory=${draft}`], { cwd: draft });
    const home = path.join(draft, `keycloak-${KEYCLOAK}`);
    call('sh', [path.join(home, 'bin', 'kc.sh'), 'build', '--db=dev-mem']);
    renameSync(draft, kept);
    return kept;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

try {
  for (const program of ['java', 'mvn']) execFileSync(program, ['-version'], { stdio: 'ignore' });
} catch {
  console.error(
    'Keycloak needs Java 17 or newer, and Maven to download it (Debian, Ubuntu: "apt-get install default-jre-headless maven").',
  );
  process.exit(1);
}

process.env.ISSUERS_KEYCLOAK = path.join(keepKeycloak(), `keycloak-${KEYCLOAK}`);
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = await run(process.execPath, [
  vitest,
  'run',
  '--config',
  'test/suites.config.ts',
  '--project',
  'issuers',
]);
