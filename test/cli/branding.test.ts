import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { findBrandedApp } from '../../src/store/apps/branding.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { makePng } from '../kit/images.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'logo-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function writeLogo(name: string, content: Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const runOver = (sql: Database) => async (name: string, options: Readonly<Record<string, unknown>>) =>
  await (COMMANDS[name] ?? expect.fail(`There is no command ${name}.`)).run(options, { sql } as never);

describe('branding commands', () => {
  test('set and end the color and the language', async ({ database: { sql } }) => {
    const run = runOver(sql);
    const { appId: app } = (await seedApp(sql)).app;
    expect(await run('branding set', { app, color: '#FFEE00' })).toEqual({
      appId: app,
      color: '#ffee00',
      language: null,
    });
    expect(await run('branding set', { app, color: 'default', language: 'de' })).toMatchObject({
      color: null,
      language: 'de',
    });
    expect(await run('branding set', { app, language: 'default' })).toMatchObject({ language: null });
    await expect(run('branding set', { app, color: 'red' })).rejects.toThrow('--color must have the form #rrggbb');
    await expect(run('branding set', { app, language: 'it' })).rejects.toThrow('--language must be one of en, de');
    const unknown = '0d9c3b5e-3f4b-4c3e-9d0a-2f1f6f3c7a11';
    await expect(run('branding set', { app: unknown, color: '#123456' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('set the logo of a file, and remove it', async ({ database: { sql } }) => {
    const run = runOver(sql);
    const { appId: app } = (await seedApp(sql)).app;
    const file = writeLogo('logo.png', makePng(64, 32));
    expect(await run('logo set', { app, file })).toEqual({
      appId: app,
      mediaType: 'image/png',
      width: 64,
      height: 32,
    });
    const refused: [string, string][] = [
      [writeLogo('text.png', Buffer.from('text')), '--file must be a complete PNG or WebP image.'],
      [writeLogo('small.png', makePng(8, 8)), '--file must be 16 to 1024 pixels wide and high; this is 8 × 8.'],
      [writeLogo('large.png', Buffer.alloc(40_000)), '--file must be at most 32768 bytes.'],
      ['/dev/zero', '--file must be at most 32768 bytes.'],
      [path.join(folder, 'missing'), '--file is not a file that can be read.'],
      [folder, '--file is not a file that can be read.'],
    ];
    for (const [given, fault] of refused) {
      await expect(run('logo set', { app, file: given })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        message: fault,
      });
    }
    expect((await findBrandedApp(sql, app))?.branding.logo).toMatchObject({ width: 64, height: 32 });
    expect(await run('logo remove', { app })).toEqual({ appId: app });
    await expect(run('logo remove', { app })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
