// `npm run contract -- provider-a`: tests an adapter against the sandbox and, if you provide tokens, against the real
// platform. `--consent` obtains tokens first. docs/providers.md lists the variables to set.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';

const USAGE = 'Usage: npm run contract -- provider-a [--consent]; also provider-b and provider-c';

/** A usage error, reported in one line. */
class Misuse extends Error {}

function need(name) {
  const value = process.env[name];
  if (!value) throw new Misuse(`--consent needs ${name}, from your OAuth client at the real platform.`);
  return value;
}

async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

/** Asks you to consent in a browser and to paste the final address. Creates a real grant and stores its tokens in `file`. */
async function consent(provider, file) {
  const built = (module) => import(path.join(ROOT, 'dist', module));
  const [{ readConfig }, { createKeySets }, { createCatalog }, { createAdapters }, { createHttp }, { Secret }, names] =
    await Promise.all(
      [
        'config.js',
        'vault/create-keys.js',
        'providers/catalog.js',
        'providers/adapters.js',
        'providers/http.js',
        'secret.js',
        'providers/provider.js',
      ].map(built),
    );
  const client = { clientId: need('CONTRACT_CLIENT_ID'), clientSecret: new Secret(need('CONTRACT_CLIENT_SECRET')) };
  const redirectUri = need('CONTRACT_REDIRECT_URI');
  const config = readConfig('api', {
    ...process.env,
    ...(await createKeySets()),
    DEPLOYMENT: 'development',
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    CONNECT_URL: 'http://localhost',
  });
  const facts = createCatalog(config)[provider];
  const verifier = randomBytes(48).toString('base64url');
  const state = randomBytes(16).toString('hex');
  const codeChallenge = facts.pkce === null ? null : createHash('sha256').update(verifier).digest(facts.pkce);
  const permissions = facts.permissionsFor(names.CAPABILITIES);
  console.log('Open this in a browser, allow access, and copy the final address, even if that page does not load:\n');
  console.log(
    facts.buildAuthorizationRequest({ clientId: client.clientId, redirectUri, permissions, state, codeChallenge }),
  );
  const query = new URL(await ask('\nThe address: ')).searchParams;
  if (query.get('state') !== state) throw new Misuse('This response belongs to another request: its state differs.');
  const answer = facts.readAuthorizationResponse(query);
  if (answer.kind !== 'code') throw new Misuse(`The address has no code: the response is "${answer.kind}".`);
  const http = createHttp({
    production: process.env.DEPLOYMENT !== 'development',
    userAgent: 'social-account-connection-service',
  });
  try {
    const exchange = {
      code: new Secret(answer.code),
      redirectUri,
      codeVerifier: codeChallenge && new Secret(verifier),
    };
    const call = { signal: AbortSignal.timeout(30_000) };
    const { tokens } = await createAdapters(config, http)[provider].exchangeCode(client, exchange, call);
    const kept = {
      ...tokens,
      accessToken: tokens.accessToken.reveal(),
      refreshToken: tokens.refreshToken?.reveal() ?? null,
    };
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
    console.log(`The tokens are in ${file}. Delete it when you are done.`);
  } finally {
    await http.close();
  }
}

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { consent: { type: 'boolean' } } });
  const slug = positionals[0] ?? '';
  if (positionals.length !== 1 || !/^provider-[a-z]$/.test(slug)) throw new Misuse(USAGE);
  const provider = slug.toUpperCase().replace('-', '_');
  const file = path.join(ROOT, '.local', 'contract', `${slug}.json`);
  if (values.consent) {
    await import('./build.mjs');
    await consent(provider, file);
  }
  process.env.CONTRACT_PROVIDER = provider;
  process.env.CONTRACT_TOKENS_FILE = file;
  const vitest = (...args) =>
    run(process.execPath, [path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args]);
  const shared = ['--config', 'test/contract/vitest.config.ts'];
  const unit = ['--project', 'unit'];
  const adapter = await vitest(...unit, `test/providers/${slug}`);
  const common = await vitest(...unit, 'test/providers/contract.test.ts', '-t', provider);
  const contract = await vitest(...shared, '--reporter=verbose');
  process.exitCode = adapter || common || contract;
  if (process.env.CONTRACT_ACCESS_TOKEN || existsSync(file)) return;
  console.log('Skipped the real platform: there are no tokens for it. docs/providers.md describes how to get them.');
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Misuse) && error?.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
  console.error(error instanceof Misuse ? error.message : USAGE);
  process.exitCode = 2;
}
