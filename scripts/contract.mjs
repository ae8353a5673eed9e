// `npm run contract -- provider-a`: tests an adapter against the sandbox and, if you provide tokens, against the real
// platform. `--consent` obtains tokens first. `--recording` reads a recording of `try-provider` instead. docs/providers.md lists
// the variables to set.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';

const USAGE = 'Usage: npm run contract -- provider-a [--consent] [--recording FILE]; also provider-b and provider-c';

/** A usage error, reported in one line. */
class Misuse extends Error {}

/** Consents in a browser, and stores the tokens of a real grant in `file`. */
async function consent(slug, file) {
  const { CONTRACT_CLIENT_ID, CONTRACT_CLIENT_SECRET, CONTRACT_REDIRECT_URI } = process.env;
  Object.assign(process.env, {
    ...(CONTRACT_CLIENT_ID && { TRY_CLIENT_ID: CONTRACT_CLIENT_ID }),
    ...(CONTRACT_CLIENT_SECRET && { TRY_CLIENT_SECRET: CONTRACT_CLIENT_SECRET }),
    ...(CONTRACT_REDIRECT_URI && { TRY_REDIRECT_URI: CONTRACT_REDIRECT_URI }),
  });
  const program = path.join(ROOT, 'dist', 'main.js');
  return await run(process.execPath, [program, 'try-provider', slug, '--tokens', file]);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { consent: { type: 'boolean' }, recording: { type: 'string' } },
  });
  const slug = positionals[0] ?? '';
  if (positionals.length !== 1 || !/^provider-[a-z]$/.test(slug)) throw new Misuse(USAGE);
  const provider = slug.toUpperCase().replace('-', '_');
  const file = path.join(ROOT, '.local', 'contract', `${slug}.json`);
  if (values.consent) {
    await import('./build.mjs');
    rmSync(file, { force: true });
    await consent(slug, file);
    if (!existsSync(file)) throw new Misuse('There are no tokens: the transcript above shows the reason.');
  }
  process.env.CONTRACT_PROVIDER = provider;
  process.env.CONTRACT_TOKENS_FILE = file;
  if (values.recording !== undefined) {
    if (!existsSync(values.recording)) throw new Misuse(`There is no file ${values.recording}.`);
    process.env.CONTRACT_RECORDING = path.resolve(values.recording);
  }
  const vitest = (...args) =>
    run(process.execPath, [path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args]);
  const shared = ['--config', 'test/suites.config.ts', '--project', 'contract'];
  const unit = ['--project', 'unit'];
  if (values.recording !== undefined) {
    process.exitCode = await vitest(...shared, '--reporter=verbose', 'recording.contract');
    return;
  }
  const adapter = await vitest(...unit, `test/providers/${slug}`);
  const common = await vitest(...unit, 'test/providers/contract.test.ts', '-t', provider);
  const contract = await vitest(...shared, '--reporter=verbose');
  process.exitCode = adapter || common || contract;
  if (existsSync(file)) return;
  console.log('Skipped the real platform: there are no tokens for it. docs/providers.md describes how to get them.');
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Misuse) && error?.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
  console.error(error instanceof Misuse ? error.message : USAGE);
  process.exitCode = 2;
}
