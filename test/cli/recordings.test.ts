import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { readRecording } from '../../src/cli/try-provider/recording.ts';
import { collectShapes, type Shapes } from '../../src/cli/try-provider/shapes.ts';
import { newFolder } from '../kit/folder.ts';
import { replay, runSandboxTrial } from './trial.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const SHAPES = path.join(ROOT, 'src', 'cli', 'try-provider', 'sandbox-shapes.json');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
beforeEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const firstAccount = (provider: ProviderName) => {
  const [account] = sandbox.control.accounts(provider);
  if (account === undefined) throw new Error('The sandbox has no account.');
  return account;
};
const record = async (provider: ProviderName) => await runSandboxTrial(sandbox, provider, firstAccount(provider).id);

test('the forms with which a report compares are those of the sandbox', async () => {
  const shapes: Record<string, Shapes> = {};
  for (const provider of PROVIDER_NAMES) {
    const { recording } = await record(provider);
    shapes[provider] = collectShapes(recording.exchanges);
  }
  await expect(`${JSON.stringify(shapes, undefined, 2)}\n`).toMatchFileSnapshot(SHAPES);
});

describe.each(PROVIDER_NAMES)('a recording of %s', (provider) => {
  test('leads the adapter through the same trial again', async () => {
    const { recording, transcript } = await record(provider);
    expect(recording.exchanges.length).toBeGreaterThan(10);
    expect(recording.differences).toEqual([]);
    const again = await replay(readRecording(writeFile(recording)));
    expect(again.transcript.differences).toEqual([]);
    const steps = (lines: readonly string[]) => lines.filter((line) => line.startsWith('\n'));
    expect(steps(again.transcript.lines)).toEqual(steps(transcript.lines));
    // The counts of the posts are the same: ids, kinds and metrics were replaced by others of the same form.
    const counts = (lines: readonly string[]) => lines.filter((line) => /^ {2}\d+ (posts|of)|^ {2}found/.test(line));
    expect(counts(transcript.lines).length).toBeGreaterThan(1);
    expect(counts(again.transcript.lines)).toEqual(counts(transcript.lines));
    // Redacted twice, the forms are still the same.
    expect(collectShapes(again.recording.exchanges)).toEqual(collectShapes(recording.exchanges));
  });

  test('has no secret, and nothing of the account', async () => {
    const { recording } = await record(provider);
    const text = JSON.stringify(recording);
    const decoded = decodeParts(text); // The claims of an id token.
    const account = firstAccount(provider);
    const posts = sandbox.control.posts(account.id);
    expect(posts.length).toBeGreaterThan(10);
    const secrets = sandbox.control.grants().flatMap((grant) => grant.tokens.map(({ value }) => value));
    expect(secrets.length).toBeGreaterThan(0);
    const { clientId, clientSecret } = KNOWN_CLIENTS[provider];
    const ids = [account.id, account.principal, account.handle, account.name, ...posts.map(({ id }) => id)];
    const said = posts.flatMap(({ title, caption, code }) => [title, caption, code]);
    const counts = posts.flatMap(({ views, likes }) => [views, likes]).filter((count) => (count ?? '').length > 7);
    const hiddenTexts = [...secrets, clientId, clientSecret, ...ids, ...said, ...counts];
    for (const hidden of hiddenTexts.filter((one) => one !== null && one !== '')) {
      expect(text.includes(hidden ?? ''), hidden ?? '').toBe(false);
      expect(decoded.includes(hidden ?? ''), hidden ?? '').toBe(false);
    }
  });
});

function writeFile(content: unknown): string {
  const folder = newFolder();
  const file = path.join(folder, 'recording.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const decodeParts = (text: string): string =>
  (text.match(/[A-Za-z0-9_-]{20,}/g) ?? []).map((part) => Buffer.from(part, 'base64url').toString('latin1')).join('\n');
