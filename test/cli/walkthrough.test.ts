import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { ROOT } from '../../local/src/services.ts';
import { callersSchema } from '../../src/api/graphql/schema-texts.ts';
import type { AppId } from '../../src/basics/ids.ts';
import { getPermitFacts } from '../../src/store/permit-facts.ts';
import { PROGRAM } from '../kit/built.ts';
import { test } from '../kit/postgres.ts';

const PAGE = readFileSync(path.join(ROOT, 'docs', 'walkthrough.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
const COMMANDS = BLOCKS.filter((text) => text.startsWith('node dist/main.js')).flatMap((text) =>
  text.replaceAll('\\\n', ' ').trim().split('\n'),
);
const REQUESTS = BLOCKS.flatMap((text) => [
  /--data '(\{.*\})'/.exec(text)?.[1] ?? /'JSON'\n([\s\S]*?)\nJSON/.exec(text)?.[1],
])
  .filter((body) => body !== undefined)
  .map((body) => JSON.parse(body) as { query: string });

/** Runs a line with its ids filled in, and collects the ids that it prints. */
async function runLine(text: string, folder: string, env: Record<string, string>, ids: Map<string, string>) {
  const script = [...ids].reduce((filled, [name, id]) => filled.replaceAll(name, id), text);
  const output = await new Promise<string>((resolve, reject) => {
    const whole = script.replaceAll('dist/main.js', PROGRAM);
    execFile('sh', ['-eu', '-c', whole], { cwd: folder, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${text}\n${stderr}`)) : resolve(stdout),
    );
  });
  const [, id = ''] = /^id +(\S+)$/m.exec(output) ?? [];
  if (script.includes(' app create ')) ids.set('APP_ID', id);
  if (script.includes(' registration create ')) ids.set('REGISTRATION_ID', id);
  if (script.includes(' issuer create ')) ids.set('ISSUER_ID', id);
}

describe('the walkthrough', { timeout: 180_000 }, () => {
  test('sets up an app that may connect, with its commands exactly as printed', async ({ database }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'walkthrough-'));
    await writeFile(path.join(folder, 'secret.txt'), 'marked-client-secret\n');
    const keys = await makeKeys();
    const env = {
      PATH: process.env.PATH ?? '',
      DEPLOYMENT: 'development',
      DATABASE_URL: database.url,
      CONNECT_URL: 'http://localhost:4000',
      VAULT_INBOX_PUBLIC_KEYS: keys.VAULT_INBOX_PUBLIC_KEYS,
      VAULT_EDGE_KEYS: keys.VAULT_EDGE_KEYS,
      VAULT_MAC_KEYS: keys.VAULT_MAC_KEYS,
    };
    const ids = new Map([['CLIENT_ID', 'client-1']]);
    for (const text of COMMANDS) await runLine(text, folder, env, ids);
    await rm(folder, { recursive: true });
    const facts = await getPermitFacts(database.sql, {
      appId: ids.get('APP_ID') as AppId,
      provider: 'PROVIDER_A',
      tenantKey: 'main',
      returnUrl: 'https://app.example/connect/return',
    });
    expect(facts).toEqual({
      appEnabled: true,
      registrationId: ids.get('REGISTRATION_ID'),
      registrationPaused: false,
      allowedCapabilities: ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'],
      tenantRegistered: true,
      returnUrlRegistered: true,
    });
    const [app] = await database.sql`
      select requests_per_second, array(select origin from launch_origin where app_id = app.app_id) as origins,
        (select enabled from app_identity where app_id = app.app_id) as signs_in
      from app where app_id = ${ids.get('APP_ID') ?? ''}
    `;
    expect(app).toEqual({ requestsPerSecond: 50, origins: ['https://www.app.example'], signsIn: true });
  });

  test('sends requests that the schema accepts', () => {
    expect(REQUESTS).toHaveLength(5);
    const schema = buildSchema(callersSchema);
    expect(REQUESTS.flatMap(({ query }) => validate(schema, parse(query)))).toEqual([]);
  });
});
