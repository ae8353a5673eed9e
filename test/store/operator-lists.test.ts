import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type AttemptId, type ConnectionId, newId, type WebhookDeliveryId } from '../../src/basics/ids.ts';
import {
  type AttemptFilter,
  countAdminAttempts,
  findAdminAttempt,
  listAdminAttempts,
} from '../../src/store/attempts/admin-attempts.ts';
import type { NewestKey } from '../../src/store/newest-key.ts';
import { type DeliveryFilter, listWebhookDeliveries } from '../../src/store/webhooks/webhook-deliveries.ts';
import { businessNow, MINUTE_MS } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { insertRow } from '../kit/seed-jobs.ts';

/** Reads a list to its end, in pages of 1, 2 and 10. @returns the names of its rows, the same for each. */
async function spell<Item>(
  list: (page: { limit: number; after: NewestKey | null }) => Promise<readonly Item[]>,
  keyOf: (item: Item) => NewestKey,
  names: ReadonlyMap<string, string>,
): Promise<string> {
  const spelled = new Set<string>();
  for (const limit of [1, 2, 10]) {
    let [word, after]: [string, NewestKey | null] = ['', null];
    for (let page = 0; page < 10; page += 1) {
      const items: readonly Item[] = await list({ limit, after });
      expect(items.length).toBeLessThanOrEqual(limit);
      const keys = items.map(keyOf);
      word += keys.map(({ id }) => names.get(id) ?? '?').join('');
      after = keys.at(-1) ?? null;
      if (after === null) break;
    }
    spelled.add(word);
  }
  return [...spelled].join(' or ');
}

/** Ids with these names, in their order. */
function nameIds<Id extends string>(word: string, create: () => Id) {
  const ids = [...word].map(create).sort();
  return { ids, names: new Map(ids.map((id, index) => [id as string, word[index] ?? '?'] as const)) };
}

test('attempts are listed and counted by their filter, newest first, then by id', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const now = await businessNow(sql);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const { ids, names } = nameIds('abcd', () => newId<AttemptId>());
  const [a, b, c, d] = ids as [AttemptId, AttemptId, AttemptId, AttemptId];
  const make = async (
    attemptId: AttemptId,
    [created, expires]: readonly [number, number],
    options: Parameters<typeof seedAttempt>[2],
    end?: { status: string; resultCode?: string; creatorAction?: string },
  ) => {
    await seedAttempt(sql, seeded, { attemptId, ...options });
    await sql`
      update connect_attempt set created_at = ${ago(created)}, expires_at = ${ago(expires)},
        status = ${end?.status ?? 'CREATED'}, result_code = ${end?.resultCode ?? null},
        creator_action = ${end?.creatorAction ?? null}, finished_at = ${end ? now : null}
      where attempt_id = ${attemptId}
    `;
  };
  const canceled = { status: 'CANCELED', creatorAction: 'REMOVE_APP_AT_PROVIDER' };
  await make(b, [50, -60], {});
  await make(a, [50, 20], { provider: 'PROVIDER_A' }, canceled);
  await make(c, [40, 1], {});
  const registrationId = other.registrations.PROVIDER_B;
  await make(d, [50, 20], { registrationId }, { status: 'FAILED', resultCode: 'ACCESS_DENIED' });
  await seedAttempt(sql, other);
  const base = { appId: seeded.app.appId, provider: null, registrationId: null, statuses: null, connectionId: null };
  const lists: readonly [Partial<AttemptFilter>, string][] = [
    [{}, 'cdba'],
    [{ provider: 'PROVIDER_A' }, 'a'],
    [{ provider: 'PROVIDER_B' }, 'cdb'],
    [{ registrationId }, 'd'],
    [{ registrationId: seeded.registrations.PROVIDER_B }, 'cb'],
    [{ statuses: ['EXPIRED'] }, 'c'],
    [{ statuses: ['CREATED'] }, 'b'],
    [{ statuses: ['CANCELED', 'FAILED'] }, 'da'],
    [{ resultCode: 'ACCESS_DENIED' }, 'd'],
    [{ since: ago(40) }, 'c'],
    [{ since: ago(50) }, 'cdba'],
    [{ before: ago(40) }, 'dba'],
    [{ before: ago(50) }, ''],
  ];
  for (const [part, word] of lists) {
    const filter = { ...base, ...part };
    const list = (page: Parameters<typeof listAdminAttempts>[2]) => listAdminAttempts(sql, filter, page);
    const name = JSON.stringify(part);
    expect(await spell(list, (one) => ({ at: one.createdAt, id: one.attemptId }), names), name).toBe(word);
    expect(await countAdminAttempts(sql, filter), name).toEqual({ count: word.length, isExact: true });
  }
  expect(await findAdminAttempt(sql, a)).toMatchObject(canceled);
  expect(await findAdminAttempt(sql, c)).toMatchObject({ status: 'EXPIRED', creatorAction: null });
});

test('deliveries are listed by their filter, newest event first, then by id', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const { appId } = seeded.app;
  const [one, two] = [await seedEndpoint(sql, appId), await seedEndpoint(sql, appId)];
  const now = await businessNow(sql);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const [connectionId, otherId] = [newId<ConnectionId>(), newId<ConnectionId>()];
  const { ids, names } = nameIds('abcde', () => newId<WebhookDeliveryId>());
  const [a, b, c, d, e] = ids;
  const deliver = async (deliveryId: WebhookDeliveryId | undefined, minutesAgo: number, row: object) => {
    const eventId = randomUUID();
    const eventType = 'connection.suspended';
    await insertRow(sql, 'webhook_event', { eventId, appId, type: eventType, data: {} });
    await insertRow(sql, 'webhook_delivery', {
      ...{ deliveryId, eventId, appId, eventType, connectionId: otherId, occurredAt: ago(minutesAgo) },
      ...{ status: 'FAILED', nextTryAt: null, ...row },
    });
  };
  await deliver(e, 20, { endpointId: one, status: 'PENDING', nextTryAt: now });
  await deliver(a, 10, { endpointId: one, status: 'DELIVERED', connectionId, lastHttpStatus: 200 });
  await deliver(c, 10, { endpointId: one, lastFailure: 'TIMEOUT' });
  await deliver(b, 10, { endpointId: two, lastHttpStatus: 500 });
  await deliver(d, 5, { endpointId: two, lastHttpStatus: 500, connectionId });
  const base = { appId, endpointId: null, status: null, eventType: null, connectionId: null, since: null };
  const lists: readonly [Partial<DeliveryFilter>, string][] = [
    [{}, 'dcbae'],
    [{ endpointId: one }, 'cae'],
    [{ endpointId: two }, 'db'],
    [{ status: 'FAILED' }, 'dcb'],
    [{ status: 'FAILED', endpointId: two }, 'db'],
    [{ status: 'PENDING' }, 'e'],
    [{ connectionId }, 'da'],
    [{ since: ago(10) }, 'dcba'],
    [{ since: ago(5) }, 'd'],
    [{ before: ago(10) }, 'e'],
    [{ before: ago(5) }, 'cbae'],
    [{ lastFailure: 'HTTP_500' }, 'db'],
    [{ lastFailure: 'HTTP_200' }, 'a'],
    [{ lastFailure: 'TIMEOUT' }, 'c'],
    [{ lastFailure: 'HTTP_500', status: 'FAILED', connectionId }, 'd'],
  ];
  for (const [part, word] of lists) {
    const list = (page: Parameters<typeof listWebhookDeliveries>[2]) =>
      listWebhookDeliveries(sql, { ...base, ...part }, page);
    const keyOf = ({ occurredAt, deliveryId }: Awaited<ReturnType<typeof list>>[number]) => ({
      ...{ at: occurredAt, id: deliveryId },
    });
    expect(await spell(list, keyOf, names), JSON.stringify(part)).toBe(word);
  }
});
