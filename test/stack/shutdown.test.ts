import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, vi } from 'vitest';
import { buildHttpUrl, findFreePort } from '../../local/src/ports.ts';
import { createApiService } from '../../local/src/services.ts';
import { ask } from '../kit/graphql.ts';
import { lastDays } from '../kit/person.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';

const CALLERS = 10;
const SEVERAL_PAGES_MS = 300;
const NOTICED = { interval: 20 };

const test = stackTest({ workers: 2 });

/** Starts another api, which gives a load balancer three seconds to notice that it stops. */
async function startLeavingApi({ settings, apiUrls: [connectUrl = ''] }: TestService) {
  const run = await openRunFolder();
  const api = await findFreePort();
  const service = createApiService({ ...settings, ports: { ...settings.ports, api } });
  const env = { ...service.env, CONNECT_URL: connectUrl, SHUTDOWN_NOTICE_SECONDS: '3' };
  // Its notice longer than others; one that is not done by then is killed, without a further notice.
  const stop = { ...service.stop, patienceMs: service.stop.patienceMs + 3_000 };
  const part = new Part({ ...service, env, stop }, run);
  await part.start();
  return { part, url: buildHttpUrl(api), remove: () => run.remove() };
}

/** Callers that send one request after the other while `isIn` reports that this api accepts requests. */
async function createSessions(service: TestService, url: string, isIn: () => boolean, answered: string[]) {
  const { app } = service;
  const caller = async () => {
    while (isIn()) {
      const input = {
        scope: { tenantKey: app.tenantKey, externalSubjectId: `leaving-${randomUUID()}` },
        provider: 'PROVIDER_B',
        capabilities: ['PROFILE'],
        returnUrl: app.returnUrl,
      };
      const { id } = await ask(`${url}/graphql`, app.key, 'createConnectSession', { input });
      answered.push(id);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

describe('a process that must stop within its grace time', () => {
  test('an api first becomes unready, then answers every request and starts every workflow', async ({ service }) => {
    const { sql } = service.database;
    const { part, url, remove } = await startLeavingApi(service);
    const answered: string[] = [];
    let isIn = true;
    const asking = createSessions(service, url, () => isIn, answered);
    await vi.waitUntil(() => answered.length >= 100, NOTICED);

    const stopped = part.stop();
    while (isIn) {
      isIn = (await fetch(`${url}/readyz`)).status === 200; // As a load balancer asks.
      await delay(20);
    }
    await Promise.all([asking, stopped]); // No request was refused, aborted or reset.
    const [stored] = await sql`
      select count(*)::int as count from connect_attempt join scope using (scope_id)
      where external_subject_id like 'leaving-%'
    `;
    expect(stored).toEqual({ count: answered.length });
    await vi.waitUntil(async () => (await sql`select from outbox`).length === 0, NOTICED);
    expect(part.lastLines(1)).toContain('Api stopped');
    remove();
  });

  test('a worker ends in time, and another worker continues its scans', async ({ service, newPerson }) => {
    const { control } = service.sandbox;
    const people = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const person = newPerson();
        const { connectionId } = await person.connect('PROVIDER_B', person.account('PROVIDER_B', /^250 posts/));
        await person.synced(connectionId);
        return { person, connectionId };
      }),
    );
    control.clearCalls();
    const what = { kind: 'slow', delayMs: SEVERAL_PAGES_MS } as const;
    const { id: fault } = control.addFault({ provider: 'PROVIDER_B', route: 'videoList', what, times: null });
    const scans = await Promise.all(
      people.map(async ({ person, connectionId }) => {
        const { id } = await person.ask('requestRefresh', { connectionId, window: lastDays(80) });
        return { person, connectionId, id };
      }),
    );
    const pages = () => control.calls({ route: 'videoList' }).length;
    await vi.waitUntil(() => pages() > 0, NOTICED);
    const [leaving] = service.workers;
    const readBefore = pages();
    await leaving?.stop();
    expect(leaving?.lastLines(1)).toContain('Worker stopped');

    const jobs = await Promise.all(scans.map(({ person, connectionId, id }) => person.ended(connectionId, id)));
    control.removeFault(fault);
    expect(jobs.map(({ status }) => status)).toEqual(people.map(() => 'SUCCEEDED'));
    expect(pages()).toBeGreaterThan(readBefore);
  });

  test('a worker aborts a call that takes too long, and another worker repeats it without blaming the platform', async ({
    service,
    newPerson,
    newTrouble,
  }) => {
    const [other, leaving] = service.workers;
    const person = newPerson();
    const account = person.account('PROVIDER_B', /^250 posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    await other?.stop();
    const what = { kind: 'hang' } as const;
    const trouble = newTrouble({ provider: 'PROVIDER_B', route: 'videoList', account, what });
    const { id } = await person.ask('requestRefresh', { connectionId, window: lastDays(5) });
    await trouble.met();
    await leaving?.stop();
    trouble.end();
    await other?.start();

    expect(await person.ended(connectionId, id)).toMatchObject({ status: 'SUCCEEDED' });
    const [row] = await service.database.sql`select tries, last_failure from read_job where job_id = ${id}`;
    expect(row).toEqual({ tries: 0, lastFailure: null });
  });
});
