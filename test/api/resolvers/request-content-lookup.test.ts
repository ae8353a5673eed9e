import { describe, expect } from 'vitest';
import type { Database } from '../../../src/store/driver/sql.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { available, seedApp, seedConnection, seedLookups } from '../../kit/seed.ts';

const URL_ASKED = 'https://www.platform.example/@harbour/video/7431298765012345678?lang=en';

async function start(sql: Database) {
  const seeded = await seedApp(sql);
  const call = callerOf(await createDeps(sql), seeded);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope, capabilities: available('CONTENT_LOOKUP') });
  const lookUp = (url: string) => call('requestContentLookup', { scope, connectionId, url });
  return { seeded, call, scope, connectionId, lookUp };
}

describe('requestContentLookup', () => {
  test('queues one lookup of a URL, however often it is requested while in flight', async ({ sql }) => {
    const { lookUp } = await start(sql);
    const jobs = await Promise.all(Array.from({ length: 10 }, () => lookUp(URL_ASKED)));
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    expect(jobs[0]).toMatchObject({ status: 'QUEUED', completeForWindow: null, resultProviderContentId: null });
    const entries = await sql`select * from outbox where workflow_id = ${`lookup/${jobs[0].id}`}`;
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain('platform.example');
    expect((await lookUp('HTTPS://WWW.platform.example/@harbour/video/7431298765012345678?lang=en')).id).toBe(
      jobs[0].id,
    );
    expect((await lookUp(`${URL_ASKED}&x`)).id).not.toBe(jobs[0].id);
    await sql`update read_job set status = 'SUCCEEDED', finished_at = business_now() where job_id = ${jobs[0].id}`;
    expect((await lookUp(URL_ASKED)).id).not.toBe(jobs[0].id);
  });

  test('accepts https URLs of at most 2048 characters without credentials, port or fragment', async ({ sql }) => {
    const { lookUp } = await start(sql);
    const start2048 = 'https://platform.example/';
    await expect(lookUp(start2048 + 'a'.repeat(2_048 - start2048.length))).resolves.toBeDefined();
    await expect(lookUp('https://platform.example')).resolves.toBeDefined();
    await expect(lookUp('https://platform.example?v=1')).resolves.toBeDefined();
    await expect(lookUp('https://platform.example/@name:with/colons?at=@')).resolves.toBeDefined();
    const wrong = [
      start2048 + 'a'.repeat(2_049 - start2048.length),
      'http://platform.example/p/1',
      '//platform.example/p/1',
      'https:/platform.example/p/1',
      'https:platform.example/p/1',
      'https:///p/1',
      'https://',
      'https://user@platform.example/p/1',
      'https://user:pass@platform.example/p/1',
      'https://@platform.example/p/1',
      'https://platform.example:443/p/1',
      'https://platform.example:8443/p/1',
      'https://platform.example:/p/1',
      'https://platform.example/p/1#comments',
      'https://platform.example/p/1#',
      'https://platform.example\\@evil.example/p/1',
      ' https://platform.example/p/1',
      'https://platform.example/p/1\n',
      'https://platform.example/p\0',
      'https://platform.example/p/\ud800',
      'https://exa mple/p',
      'https://[::1]/p',
      'javascript:alert(1)',
      '',
    ];
    for (const url of wrong) expect([url, (await refusalOf(lookUp(url))).code]).toEqual([url, 'BAD_USER_INPUT']);
  });

  test('requires CONTENT_LOOKUP, and a usable connection of the scope', async ({ sql }) => {
    const { call, scope, seeded, connectionId, lookUp } = await start(sql);
    const without = await seedConnection(sql, seeded, { scope, capabilities: available('CONTENT_LIST') });
    const lacking = call('requestContentLookup', { scope, connectionId: without, url: URL_ASKED });
    expect((await refusalOf(lacking)).code).toBe('CAPABILITY_UNAVAILABLE');
    const foreign = call('requestContentLookup', { scope: seeded.newScope(), connectionId, url: URL_ASKED });
    expect((await refusalOf(foreign)).code).toBe('NOT_FOUND');
    await sql`update connection set status = 'DISCONNECTED' where connection_id = ${connectionId}`;
    expect((await refusalOf(lookUp(URL_ASKED))).code).toBe('DISCONNECT_IN_PROGRESS');
  });

  test('counts as the 21st job in flight only once', async ({ sql }) => {
    const { lookUp, seeded, connectionId } = await start(sql);
    await seedLookups(sql, seeded, connectionId, 19);
    const { id } = await lookUp(URL_ASKED);
    expect(await refusalOf(lookUp(`${URL_ASKED}&x`))).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
    expect((await lookUp(URL_ASKED)).id).toBe(id);
  });
});
