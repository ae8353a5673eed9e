// `npm run test:issuers`: people and operators sign in at third-party OpenID servers. `-- dex`: only at this one.
// Brings Keycloak from Maven Central, and builds Ory Hydra and Dex from their Go modules, once.
import './codegen.mjs';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './run.mjs';

const KEYCLOAK = '26.7.3';
const HYDRA = 'v2.3.0';
/** The replacement that Hydra's own go.mod has: Go ignores it in a dependency. */
const HYDRA_POP = 'github.com/gobuffalo/pop/v6=github.com/ory/pop/v6@v6.2.1-0.20241121111754-e5dfc0f3344b';
const DEX = 'github.com/dexidp/dex';
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack';

const CACHE = path.join(ROOT, '.cache', 'issuers');

/** Makes a folder of the cache, in full or not at all. */
function keep(name, make) {
  const kept = path.join(CACHE, name);
  if (existsSync(kept)) return kept;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(path.join(CACHE, 'draft-'));
  try {
    make(draft);
    renameSync(draft, kept);
    return kept;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const call = (program, args, options = {}) => execFileSync(program, args, { stdio: 'inherit', ...options });

const go = (folder, ...args) =>
  call('go', args, { cwd: folder, env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -trimpath' } });

const SERVERS = {
  keycloak: {
    needs: { java: ['-version'], mvn: ['-version'] },
    missing:
      'Keycloak needs Java 17 or newer, and Maven to download it (Debian, Ubuntu: "apt-get install default-jre-headless maven").',
    prepare() {
      const folder = keep(`keycloak-${KEYCLOAK}`, (draft) => {
        console.log(`Downloading Keycloak ${KEYCLOAK}, once…`);
        const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${KEYCLOAK}:zip`;
        call('mvn', ['--quiet', '--batch-mode', UNPACK, artifact, `-DoutputDirectory=${draft}`], { cwd: draft });
        const home = path.join(draft, `keycloak-${KEYCLOAK}`);
        call('sh', [path.join(home, 'bin', 'kc.sh'), 'build', '--db=dev-mem']);
      });
      return { ISSUERS_KEYCLOAK: path.join(folder, `keycloak-${KEYCLOAK}`) };
    },
  },
  hydra: {
    needs: { go: ['version'] },
    missing: 'Ory Hydra is built from its Go module: install Go (Debian, Ubuntu: "apt-get install golang").',
    prepare() {
      const folder = keep(`hydra-${HYDRA}`, (draft) => {
        console.log(`Building Ory Hydra ${HYDRA} from its Go module, once…`);
        writeFileSync(
          path.join(draft, 'go.mod'),
          `module issuers\n\ngo 1.22\n\nrequire github.com/ory/hydra/v2 ${HYDRA}\n`,
        );
        writeFileSync(
          path.join(draft, 'main.go'),
          'package main\n\nimport "github.com/ory/hydra/v2/cmd"\n\nfunc main() { cmd.Execute() }\n',
        );
        go(draft, 'mod', 'edit', `-replace=${HYDRA_POP}`);
        go(draft, 'build', '-o', 'hydra', '.');
      });
      return { ISSUERS_HYDRA: path.join(folder, 'hydra') };
    },
  },
  dex: {
    needs: { go: ['version'] },
    missing: 'Dex is built from its Go module: install Go (Debian, Ubuntu: "apt-get install golang").',
    prepare() {
      const folder = keep('dex', (draft) => {
        console.log('Building Dex from its Go module, once…');
        cpSync(path.join(ROOT, 'test', 'issuers', 'dex'), draft, { recursive: true });
        go(draft, 'build', '-o', 'dex', '.');
        const module = call('go', ['list', '-m', '-f', '{{.Dir}}', DEX], {
          cwd: draft,
          stdio: 'pipe',
          encoding: 'utf8',
        });
        cpSync(path.join(module.trim(), 'web'), path.join(draft, 'web'), { recursive: true });
      });
      return { ISSUERS_DEX: path.join(folder, 'dex'), ISSUERS_DEX_WEB: path.join(folder, 'web') };
    },
  },
};

const runs = ([program, args]) => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const asked = process.argv.slice(2);
const chosen = asked.length === 0 ? Object.keys(SERVERS) : asked;
const unknown = chosen.filter((name) => !(name in SERVERS));
const missing = chosen
  .filter((name) => SERVERS[name] !== undefined && !Object.entries(SERVERS[name].needs).every(runs))
  .map((name) => SERVERS[name].missing);
for (const name of unknown)
  console.error(`There is no server "${name}". There are: ${Object.keys(SERVERS).join(', ')}.`);
for (const sentence of missing) console.error(sentence);
if (unknown.length + missing.length > 0) {
  if (missing.length > 0) console.error('Or name the servers to try: npm run test:issuers -- dex');
  process.exit(1);
}

for (const name of chosen) Object.assign(process.env, SERVERS[name].prepare());
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const files = chosen.map((name) => `test/issuers/${name}.issuers.ts`);
process.exitCode = await run(process.execPath, [vitest, 'run', '--config', 'test/issuers/vitest.config.ts', ...files]);
