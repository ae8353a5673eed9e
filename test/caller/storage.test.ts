import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStudio, ROWAN, scopesOf } from './visitor.ts';

function newFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'caller-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'studio.json');
}

test('a sign-in and its user survive a restart', async () => {
  const file = newFile();
  const before = openStudio({ DATA_FILE: file });
  const rowan = before.visitor();
  await rowan.signIn(ROWAN);
  await rowan.begin();
  const after = openStudio({ DATA_FILE: file });
  const back = after.visitor();
  back.cookie = rowan.cookie;
  await back.begin();
  expect(scopesOf(after.service)).toEqual(scopesOf(before.service));
  expect(scopesOf(before.service)).toHaveLength(1);
});

test('a sign-out survives a restart', async () => {
  const file = newFile();
  const rowan = openStudio({ DATA_FILE: file }).visitor();
  await rowan.signIn(ROWAN);
  const { cookie } = rowan;
  await rowan.post('/sign-out');
  const back = openStudio({ DATA_FILE: file }).visitor();
  back.cookie = cookie;
  expect((await back.get('/')).text).toContain('Sign in to begin');
});

test('only its owner can read the file, and it contains no secret', async () => {
  const file = newFile();
  const { service, visitor } = openStudio({ DATA_FILE: file });
  const rowan = visitor();
  await rowan.signIn({ ...ROWAN, email: 'rowan@one.example' });
  await rowan.begin();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  const [, sessionId = ''] = rowan.cookie.split('=');
  for (const secret of [sessionId, ...service.launchTokens, ...service.proofs, 'rowan@one.example']) {
    expect(text).not.toContain(secret);
  }
});

test('names are forgotten 30 days after they were read, and receipts after 7', async () => {
  const file = newFile();
  const before = openStudio({ DATA_FILE: file });
  const rowan = before.visitor();
  await rowan.signIn(ROWAN);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const contents = JSON.parse(readFileSync(file, 'utf8'));
  const known = (connectionId: string, days: number) => ({
    connectionId,
    provider: 'PROVIDER_A',
    name: `Name ${connectionId}`,
    nameReadAt: ago(days),
  });
  contents.users[0].accounts = [
    known('young', 29.9),
    known('old', 30),
    { ...known('undated', 1), nameReadAt: undefined },
  ];
  contents.users[0].receipts = [6.9, 7].map((days) => ({
    ...{ connectionId: `gone ${days}`, provider: 'PROVIDER_A', name: `Receipt ${days}`, at: ago(days) },
    ...{ revokeJobId: 'revoke', eraseJobId: 'erase' },
  }));
  writeFileSync(file, JSON.stringify(contents));
  openStudio({ DATA_FILE: file });
  const text = readFileSync(file, 'utf8');
  for (const kept of ['Name young', 'Receipt 6.9']) expect(text).toContain(kept);
  for (const gone of ['Name old', 'Name undated', 'Receipt 7"']) expect(text).not.toContain(gone);
  expect(JSON.parse(text).users[0].accounts).toHaveLength(3); // The accounts themselves are ours.
});

test('a file of another format is not overwritten', () => {
  expect(() => openStudio({ DATA_FILE: path.join(import.meta.dirname, '..', '..', 'package.json') })).toThrow();
});
