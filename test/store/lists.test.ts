import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { CONNECTION_STATUSES } from '../../src/basics/codes.ts';
import {
  type AttemptId,
  type BulkDisconnectId,
  type ConnectionId,
  type CorrelationId,
  newId,
  type RegistrationId,
  type ScopeId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '../../src/basics/ids.ts';
import { type AttemptFilter, countAdminAttempts, listAdminAttempts } from '../../src/store/attempts/admin-attempts.ts';
import {
  type ConnectionFilter,
  countAdminConnections,
  listAdminConnections,
} from '../../src/store/connections/admin-connections.ts';
import { countUpTo } from '../../src/store/count-rows.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import {
  countAdminJobs,
  countStuckJobs,
  EVERY_JOB,
  getListedAt,
  type JobFilter,
  listAdminJobs,
  listRetryableJobs,
} from '../../src/store/jobs/admin-jobs.ts';
import { assignJobsToBulk } from '../../src/store/jobs/bulk-disconnects.ts';
import { type AuditFilter, insertAuditEntry, listAuditEntries } from '../../src/store/operators/audit-log.ts';
import { type DeliveryFilter, listWebhookDeliveries } from '../../src/store/webhooks/webhook-deliveries.ts';
import { businessNow, MINUTE_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { freezeClock, releaseClock, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { insertJob, insertRow, type JobRow } from '../kit/seed-jobs.ts';
import { checkList, drawRows, oneOf } from './list-model.ts';

/** So many minutes ago; several rows have the same. */
const minutes = fc.constantFrom(5, 10, 15, 16, 40, 50);
const openClock = async (sql: Database) => {
  const now = await businessNow(sql);
  return (minutesAgo: number) => new Date(now.getTime() - minutesAgo * MINUTE_MS);
};
/** In any case of its ASCII letters, with or without the sign before it. */
const fold = (handle: string) => handle.replace(/^@/, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());

test('operators list and count connections as each filter asks, newest or oldest first', async ({ sql, seeded }) => {
  const ago = await openClock(sql);
  const api = asApi(sql);
  const drawn = drawRows(14, {
    provider: oneOf('PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'),
    status: oneOf(...CONNECTION_STATUSES),
    tenantKey: oneOf(seeded.tenantKey, 'another'),
    subject: oneOf('ada', 'ben', 'eve'),
    handle: oneOf('harbour', 'École', 'ÖZGE', 'БЕРЕГ', 'é.COLE'),
    displayName: oneOf('Harbour Kitchen', 'harbour', 'Чай 🍵'),
    created: minutes,
  });
  const rows = [];
  for (const row of drawn) {
    const { provider, status, tenantKey, handle, displayName } = row;
    const scope = { tenantKey, externalSubjectId: row.subject };
    const account = randomUUID();
    const id = await seedConnection(sql, seeded, { scope, provider, status, providerAccountId: account });
    await sql`
      update connection set created_at = ${ago(row.created)}, profile = profile || ${sql.json({ handle, displayName })}
      where connection_id = ${id}
    `;
    rows.push({ ...row, id, account });
  }
  const base: ConnectionFilter = {
    ...{ appId: seeded.app.appId, provider: null, registrationId: null, statuses: null },
    ...{ tenantKey: null, externalSubjectId: null },
  };
  const accounts = rows.slice(0, 2).map(({ account }) => account);
  const providerOf = (id: RegistrationId) => Object.entries(seeded.registrations).find(([, one]) => one === id)?.[0];
  await checkList({
    rows,
    base,
    conditions: {
      provider: [['PROVIDER_A', 'PROVIDER_B'], (row, value) => row.provider === value],
      registrationId: [Object.values(seeded.registrations), (row, value) => row.provider === providerOf(value)],
      statuses: [[['SUSPENDED'], ['CONNECTED', 'DELETING'], []], (row, value) => value.includes(row.status)],
      tenantKey: [['another', seeded.tenantKey], (row, value) => row.tenantKey === value],
      externalSubjectId: [['ada', 'eve'], (row, value) => row.subject === value],
      search: [
        [...accounts, ...'ben HarBour @École ÖZGE БЕРЕГ é.cole harbou Чай'.split(' '), 'harbour kitchen', 'Чай 🍵'],
        (row, value) =>
          row.subject === value ||
          row.account === value ||
          fold(row.handle) === fold(value) ||
          (value.length > 3 && fold(row.displayName).startsWith(fold(value))),
      ],
      since: [[ago(16), ago(15)], (row, value) => ago(row.created) >= value],
      before: [[ago(16), ago(15)], (row, value) => ago(row.created) < value],
      oldestFirst: [[true], () => true],
    },
    at: (row) => ago(row.created),
    oldestFirst: (filter) => filter.oldestFirst === true,
    list: (filter, page) => listAdminConnections(api, filter, page),
    read: (item) => ({ at: item.createdAt, id: item.connectionId }),
    count: (filter) => countAdminConnections(api, filter),
  });
});

test('up to 10,000 rows are counted exactly, and more are shown as more', async ({ sql }) => {
  const count = (rows: number) => countUpTo(asApi(sql), sql`from generate_series(1, ${rows}::int)`);
  for (const rows of [0, 9_999, 10_000]) expect(await count(rows)).toEqual({ count: rows, isExact: true });
  for (const rows of [10_001, 20_000]) expect(await count(rows)).toEqual({ count: 10_000, isExact: false });
});

test('operators list and count jobs as each filter asks; stuck ones longest stuck first', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const connections = [
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
  ];
  const now = await businessNow(sql);
  const ago = (minutesAgo: number) => new Date(now.getTime() - minutesAgo * MINUTE_MS);
  const drawn = drawRows(40, {
    kind: oneOf('LOOKUP', 'METRICS', 'REVOKE', 'COMPENSATION', 'ERASE'),
    status: oneOf('QUEUED', 'RUNNING', 'RUNNING', 'SUCCEEDED', 'FAILED'),
    provider: oneOf('PROVIDER_A', 'PROVIDER_B'),
    connection: oneOf(0, 1),
    created: minutes,
    started: fc.option(minutes),
    failed: fc.option(minutes),
    next: fc.option(oneOf(-60, -1, 0, 1, 14, 15, 40)),
    finished: minutes,
    failure: oneOf('PROVIDER_UNAVAILABLE', 'RATE_LIMITED', null),
    keepsTokens: fc.boolean(),
    isLeft: fc.boolean(),
  });
  const insert = async (row: (typeof drawn)[number]) => {
    const isRead = row.kind === 'LOOKUP' || row.kind === 'METRICS';
    const open = row.status === 'QUEUED' || row.status === 'RUNNING';
    // A connection has one receipt of each kind.
    const connectionId = isRead ? (connections[row.connection] as ConnectionId) : newId<ConnectionId>();
    const tries = row.failed === null ? 0 : 1;
    const hasTokens = row.keepsTokens && row.kind !== 'ERASE' && !isRead && row.status === 'FAILED';
    const isLeft = row.isLeft && row.kind === 'REVOKE' && !open;
    const [createdAt, startedAt, firstFailedAt, nextRetryAt] = [row.created, row.started, row.failed, row.next].map(
      (at) => (at === null ? null : ago(at)),
    );
    const columns: JobRow = {
      ...{ kind: row.kind, provider: row.provider, status: row.status, connectionId, createdAt, startedAt, tries },
      ...{ firstFailedAt, nextRetryAt: open ? nextRetryAt : null, lastFailure: tries > 0 ? row.failure : null },
      ...{ finishedAt: open ? null : ago(row.finished), errorCode: row.status === 'FAILED' ? row.failure : null },
      ...(hasTokens && { sealedTokens: 'sealed' }),
      ...(isLeft && { creatorAction: 'REMOVE_APP_AT_PROVIDER' }),
      ...(row.kind === 'METRICS' && { providerContentId: randomUUID() }),
    };
    const since = firstFailedAt ?? startedAt ?? createdAt ?? now;
    const silentSince = nextRetryAt ?? startedAt ?? createdAt ?? now;
    const overdue = open && silentSince <= ago(15);
    return {
      ...row,
      ...{ id: await insertJob(sql, seeded, columns), open, connectionId, since, isLeft },
      reason: row.status === 'FAILED' || tries > 0 ? row.failure : null,
      stuck: (open && tries > 0 && since <= ago(15)) || overdue || hasTokens,
      waiting: open && nextRetryAt != null && nextRetryAt > now,
      retryable: (open && nextRetryAt != null && (nextRetryAt > now || nextRetryAt <= ago(1))) || overdue || hasTokens,
    };
  };
  const rows: Awaited<ReturnType<typeof insert>>[] = [];
  for (const row of drawn) rows.push(await insert(row));
  const connectionId = await seedConnection(sql, other, { scope: other.newScope() });
  await insertJob(sql, other, { kind: 'LOOKUP', connectionId, createdAt: ago(16) });
  const requests = [newId<CorrelationId>(), newId<CorrelationId>(), newId<CorrelationId>()] as const;
  const retriedBy = (request: CorrelationId) => rows.filter((_, index) => requests[index % 3] === request);
  for (const correlationId of requests) {
    const related = [...retriedBy(correlationId).map(({ id }) => id), 'REVOKE', 'PROVIDER_A'];
    // The third was a dry run.
    const outcome = correlationId === requests[2] ? 'DRY_RUN' : 'DONE';
    const entry = { actor: 'ada', target: seeded.app.appId, related, outcome, correlationId };
    await insertAuditEntry(sql, { ...entry, action: 'retryJobs' });
    await insertAuditEntry(sql, { ...entry, action: 'disableApp', related: rows.map(({ id }) => id), outcome: 'DONE' });
  }
  const bulks = [newId<BulkDisconnectId>(), newId<BulkDisconnectId>()];
  const isRead = ({ kind }: (typeof rows)[number]) => kind === 'LOOKUP' || kind === 'METRICS';
  const inBulk = (bulk: BulkDisconnectId) =>
    rows.filter((row) => !isRead(row) && bulks[row.connection] === bulk).map(({ id }) => id);
  for (const bulkDisconnectId of bulks) {
    const target = { appId: seeded.app.appId, tenantKey: seeded.newScope().tenantKey, finishedAt: now };
    await insertRow(sql, 'bulk_disconnect', { bulkDisconnectId, ...target, total: 1, correlationId: randomUUID() });
    await assignJobsToBulk(sql, bulkDisconnectId, inBulk(bulkDisconnectId));
  }
  const finishedAt = (row: (typeof rows)[number]) => (row.open ? null : ago(row.finished));
  const base: JobFilter = { ...EVERY_JOB, appId: seeded.app.appId };
  await freezeClock(sql, now);
  await checkList({
    rows,
    base,
    conditions: {
      provider: [['PROVIDER_A'], (row, value) => row.provider === value],
      connectionId: [connections, (row, value) => row.connectionId === value],
      kinds: [[['LOOKUP'], ['REVOKE', 'ERASE'], ['COMPENSATION', 'METRICS']], (row, value) => value.includes(row.kind)],
      statuses: [[['RUNNING'], ['FAILED', 'QUEUED']], (row, value) => value.includes(row.status)],
      lastFailure: [['RATE_LIMITED'], (row, value) => row.reason === value],
      neverFailed: [[true, false], (row, value) => (row.reason === null) === value],
      stuck: [[true, false], (row, value) => row.stuck === value],
      waiting: [[true, false], (row, value) => row.waiting === value],
      retriedBy: [requests, (row, value) => value !== requests[2] && retriedBy(value).includes(row)],
      bulkDisconnectId: [bulks, (row, value) => inBulk(value).includes(row.id)],
      leftToPerson: [[true, false], (row, value) => row.isLeft === value],
      endedSince: [[ago(16), ago(15)], (row, value) => (finishedAt(row) ?? new Date(0)) >= value],
      endedBefore: [[ago(16), ago(15)], (row, value) => (finishedAt(row) ?? now) < value],
    },
    at: (row, { stuck, endedSince, endedBefore }) => {
      if (stuck === true) return row.since;
      return (endedSince === null && endedBefore === null ? null : finishedAt(row)) ?? ago(row.created);
    },
    oldestFirst: (filter) => filter.stuck === true,
    list: (filter, page) => listAdminJobs(sql, filter, page),
    read: (item, filter) => ({ at: getListedAt(filter, item), id: item.jobId }),
    count: (filter) => countAdminJobs(sql, filter),
  });
  const bySince = (a: (typeof rows)[number], b: (typeof rows)[number]) =>
    a.since.getTime() - b.since.getTime() || (a.id < b.id ? -1 : 1);
  const retryable = rows.filter((row) => row.retryable).sort(bySince);
  expect((await listRetryableJobs(sql, base, 99)).map(({ jobId }) => jobId)).toEqual(retryable.map(({ id }) => id));
  expect(await listRetryableJobs(sql, base, 2)).toMatchObject(retryable.slice(0, 2).map(({ id }) => ({ jobId: id })));
  const keyOf = (one: { provider: string; kind: string }, reason: string | null) =>
    [one.provider, one.kind, reason].join();
  const groups = new Map<string, (typeof rows)[number][]>();
  for (const row of rows.filter(({ stuck }) => stuck).sort(bySince)) {
    const key = keyOf(row, row.reason);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const counted = await countStuckJobs(sql, base);
  expect(counted).toHaveLength(groups.size);
  for (const group of counted) {
    const own = groups.get(keyOf(group, group.lastFailure)) ?? [];
    expect(group).toMatchObject({
      ...{ appName: 'Harbour Kitchen', count: own.length, since: own[0]?.since },
      failedCount: own.filter(({ open }) => !open).length,
      retryableCount: own.filter((row) => row.retryable).length,
    });
  }
  const order = counted.map((one) => [99 - one.count, one.since.getTime(), one.provider, one.kind].join(' '));
  expect(order).toEqual(order.toSorted());
  await releaseClock(sql);
});

test('operators list and count attempts as each filter asks; one is EXPIRED from its deadline on', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const connect = () => seedConnection(sql, seeded, { scope: seeded.newScope() });
  const connections = [await connect(), await connect()];
  const now = await businessNow(sql);
  const ago = (minutesAgo: number) => new Date(now.getTime() - minutesAgo * MINUTE_MS);
  const registrations = [seeded.registrations.PROVIDER_B, other.registrations.PROVIDER_B];
  const persons = [seeded.newScope(), seeded.newScope()].map((one) => one.externalSubjectId);
  const { tenantKey } = seeded.newScope();
  const scopes = await Promise.all(
    persons.map((externalSubjectId) => seedScope(sql, seeded, { tenantKey, externalSubjectId })),
  );
  const drawn = drawRows(16, {
    person: oneOf(0, 1),
    provider: oneOf('PROVIDER_A', 'PROVIDER_B'),
    registration: oneOf(0, 1),
    status: oneOf('CREATED', 'AUTHORIZING', 'CANCELED', 'FAILED'),
    code: oneOf('ACCESS_DENIED', 'CANCELED'),
    connection: fc.option(oneOf(0, 1)),
    renewed: fc.option(oneOf(0, 1)),
    created: minutes,
    expires: oneOf(-1, 0, 1),
  });
  const rows = [];
  for (const row of drawn) {
    const isOpen = row.status === 'CREATED' || row.status === 'AUTHORIZING';
    const registrationId =
      row.provider === 'PROVIDER_A'
        ? seeded.registrations.PROVIDER_A
        : (registrations[row.registration] as RegistrationId);
    const renews = row.renewed === null ? null : (connections[row.renewed] ?? null);
    const connectionId = row.connection === null || isOpen ? null : (connections[row.connection] ?? null);
    const { attemptId } = await seedAttempt(sql, seeded, {
      ...{
        provider: row.provider,
        registrationId,
        reconnectConnectionId: renews,
        scopeId: scopes[row.person] as ScopeId,
      },
    });
    await sql`
      update connect_attempt set created_at = ${ago(row.created)}, expires_at = ${ago(row.expires)}, status = ${row.status},
        result_code = ${isOpen ? null : row.code}, finished_at = ${isOpen ? null : now}, connection_id = ${connectionId}
      where attempt_id = ${attemptId}
    `;
    const status = isOpen && row.expires >= 0 ? ('EXPIRED' as const) : row.status;
    rows.push({ ...row, id: attemptId, registrationId, status, isOpen, of: [renews, connectionId] });
  }
  await seedAttempt(sql, other);
  const base: AttemptFilter = {
    ...{ appId: seeded.app.appId, provider: null, registrationId: null, statuses: null, connectionId: null, tenantKey },
  };
  await freezeClock(sql, now);
  await checkList({
    rows,
    base,
    conditions: {
      provider: [['PROVIDER_A', 'PROVIDER_B'], (row, value) => row.provider === value],
      registrationId: [registrations, (row, value) => row.registrationId === value],
      statuses: [
        [['EXPIRED'], ['CREATED'], ['CANCELED', 'AUTHORIZING']],
        (row, value) => value.some((one) => one === row.status),
      ],
      externalSubjectId: [[...persons, 'nobody'], (row, value) => persons[row.person] === value],
      connectionId: [connections, (row, value) => row.of.includes(value)],
      resultCode: [['ACCESS_DENIED'], (row, value) => !row.isOpen && row.code === value],
      since: [[ago(16), ago(15)], (row, value) => ago(row.created) >= value],
      before: [[ago(16), ago(15)], (row, value) => ago(row.created) < value],
    },
    at: (row) => ago(row.created),
    list: (filter, page) => listAdminAttempts(sql, filter, page),
    read: (item) => ({ at: item.createdAt, id: item.attemptId as AttemptId }),
    count: (filter) => countAdminAttempts(sql, filter),
  });
  await releaseClock(sql);
});

test('operators list deliveries as each filter asks, newest event first', async ({ sql, seeded }) => {
  const { appId } = seeded.app;
  const endpoints = [await seedEndpoint(sql, appId), await seedEndpoint(sql, appId)];
  const connections = [newId<ConnectionId>(), newId<ConnectionId>()];
  const ago = await openClock(sql);
  const drawn = drawRows(16, {
    endpoint: oneOf(0, 1),
    connection: oneOf(0, 1),
    status: oneOf('PENDING', 'DELIVERED', 'FAILED'),
    type: oneOf('connection.suspended', 'job.finished'),
    occurred: minutes,
    failure: oneOf('TIMEOUT', null),
    httpStatus: oneOf(200, 500),
  });
  const rows = [];
  for (const row of drawn) {
    const [id, eventId] = [newId<WebhookDeliveryId>(), randomUUID()];
    const [endpointId, connectionId] = [endpoints[row.endpoint] as WebhookEndpointId, connections[row.connection]];
    const occurredAt = ago(row.occurred);
    const code = row.failure ?? `HTTP_${row.httpStatus}`;
    await insertRow(sql, 'webhook_event', { eventId, appId, type: row.type, data: {}, occurredAt });
    await insertRow(sql, 'webhook_delivery', {
      ...{ deliveryId: id, eventId, appId, eventType: row.type, connectionId, occurredAt, endpointId },
      ...{ status: row.status, nextRetryAt: row.status === 'PENDING' ? occurredAt : null },
      ...(row.failure === null ? { lastHttpStatus: row.httpStatus } : { lastFailure: row.failure }),
    });
    rows.push({ ...row, id, endpointId, connectionId, code });
  }
  const base: DeliveryFilter = {
    ...{ appId, endpointId: null, status: null, eventType: null, connectionId: null, since: null },
  };
  await checkList({
    rows,
    base,
    conditions: {
      endpointId: [endpoints, (row, value) => row.endpointId === value],
      status: [['PENDING', 'FAILED'], (row, value) => row.status === value],
      eventType: [['job.finished'], (row, value) => row.type === value],
      connectionId: [connections, (row, value) => row.connectionId === value],
      since: [[ago(16), ago(15)], (row, value) => ago(row.occurred) >= value],
      before: [[ago(16), ago(15)], (row, value) => ago(row.occurred) < value],
      lastFailure: [['TIMEOUT', 'HTTP_500'], (row, value) => row.code === value],
    },
    at: (row) => ago(row.occurred),
    list: (filter, page) => listWebhookDeliveries(asApi(sql), filter, page),
    read: (item) => ({ at: item.occurredAt, id: item.deliveryId }),
  });
});

test('operators list the audit log as each filter asks, newest entry first', async ({ sql }) => {
  const ago = await openClock(sql);
  const [first, second] = [newId<CorrelationId>(), newId<CorrelationId>()];
  const [one, two, all] = [randomUUID(), randomUUID(), randomUUID()];
  const drawn = drawRows(14, {
    actor: oneOf('command line', 'sandbox'),
    action: oneOf('open', 'close'),
    outcome: oneOf('DONE', 'FAILED'),
    request: oneOf(first, second),
    related: oneOf(one, two),
    hours: oneOf(9, 3, 2, 1, 0),
  });
  // An entry gets its id at the end of its transaction, up to an hour after its time.
  const inOrder = drawn.toSorted((a, b) => b.hours - a.hours);
  const rows = [];
  for (const row of inOrder) {
    const { actor, action, outcome, related } = row;
    await insertAuditEntry(sql, {
      actor,
      action,
      target: all,
      related: [related],
      outcome,
      correlationId: row.request,
    });
    const [entry] = await sql`select max(audit_id)::text as id from audit_log where target = ${all}`;
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`; // The log refuses a change.
      await tx`update audit_log set happened_at = ${ago(60 * row.hours)} where audit_id = ${entry?.id}`;
    });
    rows.push({ ...row, id: String(entry?.id).padStart(9, '0') });
  }
  const base: AuditFilter = { actor: null, action: null, outcome: null, targets: [all] };
  await checkList({
    rows,
    base,
    conditions: {
      actor: [['sandbox'], (row, value) => row.actor === value],
      action: [['open'], (row, value) => row.action === value],
      outcome: [['DONE', 'FAILED'], (row, value) => row.outcome === value],
      correlation: [[{ low: first, high: first }], (row, value) => row.request === value.low],
      targets: [[[one], [one, two], [all]], (row, value) => value.includes(row.related) || value.includes(all)],
      since: [[ago(180), ago(60)], (row, value) => ago(60 * row.hours) >= value],
      before: [[ago(180), ago(60)], (row, value) => ago(60 * row.hours) < value],
      reads: [[false, true], (_row, value) => !value],
    },
    at: () => new Date(0),
    list: (filter, { limit, after }) => listAuditEntries(sql, filter, { limit, position: after?.id ?? null }),
    read: (item) => ({ at: new Date(0), id: item.auditId.padStart(9, '0') }),
  });
});
