import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
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
