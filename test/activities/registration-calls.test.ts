import { metrics } from '@opentelemetry/api';
import { describe, expect, onTestFinished } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { ShareSpent } from '../../src/activities/provider-rate-limit.ts';
import { createLog } from '../../src/basics/log.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { startMetrics } from '../../src/telemetry/metrics.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { failureOf as anyFailureOf, type Stage, stageTest } from '../kit/activity-stage.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { MARK, newTokens } from '../kit/fake-provider.ts';
import { listRegistrations, updateRegistrationSecret } from '../kit/seed.ts';
import { insertJob } from '../kit/seed-jobs.ts';

/** Valid for longer than these tests move the clock. */
const goodTokens = () => newTokens({ accessExpiresAt: new Date(Date.now() + 10 * DAY_MS) });

const test = stageTest.extend<{ stage: Stage }>({
  stage: async ({ stage }, use) => {
    stage.provider.refresh.mockImplementation(async () => goodTokens());
    await use(stage);
  },
});

const failureOf = async (activity: Promise<unknown>) =>
  (await anyFailureOf(activity)) as { type: string; retryAfterSeconds: number | null };

const rejected = () => new ProviderError('ClientRejected', 'No.');
const spent = (retryAfterSeconds?: number) =>
  new ProviderError('QuotaSpent', 'None left.', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

async function registration({ sql, seeded }: Stage) {
  const id = seeded.registrations.PROVIDER_B;
  const [row] = await sql`
    select rejected_at, client_probed_at, extract(epoch from quota_spent_until - business_now())::float8 as quota_seconds
    from registration where registration_id = ${id}
  `;
  if (!row) throw new Error('There is no such registration.');
  return row;
}

/** One try of a scan of a new connection. */
async function scanOnce(stage: Stage, requestedBy: 'CALLER' | 'SERVICE' = 'CALLER') {
  const { connectionId } = await stage.newConnection({ capabilities: ['CONTENT_LIST'], tokens: goodTokens() });
  const { jobId } = await stage.newScan(connectionId, { requestedBy });
  return { connectionId, jobId, tried: runActivity(stage.activities.runScanStep, { jobId }) };
}

/** A connection with an expired token, so that any use begins with a refresh. */
async function useExpired(stage: Stage) {
  const { connectionId } = await stage.newConnection({ tokens: newTokens({ accessExpiresAt: new Date() }) });
  return runActivity(stage.activities.checkGrant, { connectionId });
}

const probe = (stage: Stage) =>
  runActivity(stage.activities.probeRegistration, { registrationId: stage.seeded.registrations.PROVIDER_B });

describe('a quota that is used up', () => {
  test('stops the calls of every job of its registration until it resets', async ({ sql, stage }) => {
    stage.provider.listContent.mockRejectedValueOnce(spent(3 * 3_600));
    const first = await scanOnce(stage);
    expect(await failureOf(first.tried)).toMatchObject({ type: 'QuotaSpent', retryAfterSeconds: 3 * 3_600 });
    expect((await registration(stage)).quotaSeconds).toBeGreaterThan(3 * 3_600 - 60);

    await moveClock(sql, HOUR_MS);
    const second = await failureOf((await scanOnce(stage)).tried);
    expect(second).toMatchObject({ type: 'QuotaSpent' });
    expect(second.retryAfterSeconds).toBeGreaterThan(2 * 3_600 - 60);
    expect(second.retryAfterSeconds).toBeLessThanOrEqual(2 * 3_600);
    expect(stage.provider.listContent).toHaveBeenCalledOnce();

    await moveClock(sql, 2 * HOUR_MS);
    await (await scanOnce(stage)).tried;
    expect(stage.provider.listContent).toHaveBeenCalledTimes(2);
  });

  test('as the share of one app leaves the others theirs', async ({ stage }) => {
    stage.provider.listContent.mockRejectedValueOnce(new ShareSpent(3_600));
    expect(await failureOf((await scanOnce(stage)).tried)).toMatchObject({ type: 'QuotaSpent' });
    expect(await registration(stage)).toMatchObject({ quotaSeconds: null });
    await (await scanOnce(stage)).tried;
  });

  test('blocks neither refreshes nor revokes', async ({ stage }) => {
    stage.provider.listContent.mockRejectedValueOnce(spent(3_600));
    await failureOf((await scanOnce(stage)).tried);
    expect(await failureOf(useExpired(stage))).toMatchObject({ type: 'QuotaSpent' });
    expect(stage.provider.refresh).toHaveBeenCalledOnce();
    expect(stage.provider.readAccount).not.toHaveBeenCalled();

    const { revokeJobId } = await stage.disconnect(await stage.newConnection());
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED' });
  });
});

test('every call uses a new client secret as soon as it is stored', async ({ sql, stage }) => {
  const { provider, seeded } = stage;
  const id = seeded.registrations.PROVIDER_B;
  /** Makes calls of each kind. @returns the secrets that the provider got with each. */
  async function listSecrets(): Promise<unknown[]> {
    const calls = [provider.exchangeCode, provider.refresh, provider.revoke, provider.probeClient];
    for (const call of calls) call.mockClear();
    await stage.newExchangedAttempt();
    await useExpired(stage);
    const { revokeJobId } = await stage.disconnect(await stage.newConnection());
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    await moveClock(sql, MINUTE_MS);
    await probe(stage);
    return calls.map((call) => [...new Set(call.mock.calls.map(([client]) => client.clientSecret.reveal()))]);
  }
  const ofEach = (secret: string) => [[secret], [secret], [secret], [secret]];
  expect(await listSecrets()).toEqual(ofEach(`${MARK}-client-secret`));
  const sealed = await stage.deps.sealInbox('the new secret', associatedData.clientSecret(id));
  await updateRegistrationSecret(sql, id, { sealed, expiresAt: null });
  expect(await listSecrets()).toEqual(ofEach('the new secret'));
});

const REFUSED = {
  verdict: 'REFUSED',
  refusal: new ProviderError('ClientRejected', 'No.', { status: 401, platformCode: 'invalid_client' }),
} as const;

/** The provider refuses our client, also in a probe with made-up credentials. */
function refuse(stage: Stage): void {
  stage.provider.refresh.mockRejectedValue(rejected());
  stage.provider.probeClient.mockResolvedValue(REFUSED);
}

/** The log lines about the client. */
const told = (stage: Stage) =>
  stage.deps.lines
    .map((line) => JSON.parse(line))
    .filter(({ message }) => /refuses our client: check|accepts our client/.test(message));

describe('a client that the provider refuses', () => {
  test('is confirmed only by a probe that involves no person’s data', async ({ stage }) => {
    refuse(stage);
    expect(await failureOf(useExpired(stage))).toMatchObject({ type: 'ClientRejected' });
    expect(await registration(stage)).toMatchObject({ rejectedAt: expect.any(Date) });
    const [client, input] = stage.provider.probeClient.mock.calls[0] ?? [];
    expect(client?.clientId).toBe('client');
    expect(input).toEqual({ redirectUri: 'http://localhost:4000/api/connect/callback/provider-b' });
  });

  test.for(['TAKEN', 'UNCLEAR'] as const)(
    'blocks nothing if one call was refused and the probe was not: %s',
    async (verdict, { stage }) => {
      stage.provider.refresh.mockRejectedValueOnce(rejected());
      stage.provider.probeClient.mockResolvedValueOnce({ verdict });
      expect(await failureOf(useExpired(stage))).toMatchObject({ type: 'ClientRejected' });
      expect(await registration(stage)).toMatchObject({ rejectedAt: null });
      expect(told(stage).filter(({ level }) => level === 'error')).toEqual([]);
      await useExpired(stage);
      expect(stage.provider.refresh).toHaveBeenCalledTimes(2);
    },
  );

  test('is probed once a minute at most after any number of refused calls', async ({ sql, stage }) => {
    stage.provider.refresh.mockRejectedValue(rejected());
    await Promise.all([1, 2, 3, 4].map(async () => await failureOf(useExpired(stage))));
    expect(stage.provider.probeClient).toHaveBeenCalledOnce();
    await moveClock(sql, MINUTE_MS - 20_000);
    await failureOf(useExpired(stage));
    expect(stage.provider.probeClient).toHaveBeenCalledOnce();
    await moveClock(sql, 20_000);
    await failureOf(useExpired(stage));
    expect(stage.provider.probeClient).toHaveBeenCalledTimes(2);
    expect(await registration(stage)).toMatchObject({ rejectedAt: null });
  });

  test('is not used while refused, and is used again after an accepted probe', async ({ sql, stage }) => {
    refuse(stage);
    await failureOf(useExpired(stage));
    const held = await failureOf(useExpired(stage));
    expect(held).toMatchObject({ type: 'RetryLater', status: 401, retryAfterSeconds: 60, outcomeUnknown: false });
    expect(stage.provider.refresh).toHaveBeenCalledOnce();

    await moveClock(sql, MINUTE_MS);
    await probe(stage);
    expect(await registration(stage)).toMatchObject({ rejectedAt: expect.any(Date) });

    await moveClock(sql, MINUTE_MS);
    stage.provider.probeClient.mockRejectedValueOnce(new ProviderError('RetryLater', 'Down.'));
    expect(await failureOf(probe(stage))).toMatchObject({ type: 'RetryLater' });
    expect(await registration(stage)).toMatchObject({ rejectedAt: expect.any(Date) });

    await moveClock(sql, MINUTE_MS);
    stage.provider.probeClient.mockResolvedValueOnce({ verdict: 'TAKEN' });
    stage.provider.refresh.mockImplementation(async () => goodTokens());
    await probe(stage);
    expect(await registration(stage)).toMatchObject({ rejectedAt: null });
    await useExpired(stage);
    expect(stage.provider.refresh).toHaveBeenCalledTimes(2);
    const answer = { code: 'invalid_client', text: '' };
    expect(told(stage)).toMatchObject([{ level: 'error', lastAnswer: 'HTTP_401', answer }, { level: 'info' }]);
  });

  test.for([
    ['a probe that it accepts', 'TAKEN'],
    ['a probe that no longer proves a refusal', 'UNCLEAR'],
    ['an exchange with a new secret', 'EXCHANGE'],
  ] as const)('wakes the jobs that waited for it, and no others, after %s', async ([_, how], { sql, stage }) => {
    const { seeded } = stage;
    const registrationId = seeded.registrations.PROVIDER_B;
    refuse(stage);
    await failureOf(useExpired(stage));
    const { connectionId, grantId } = await stage.newConnection();
    const elsewhere = await stage.newConnection({ provider: 'PROVIDER_A' });
    const now = (await businessNow(sql)).getTime();
    const later = { status: 'RUNNING', tries: 6, nextRetryAt: new Date(now + HOUR_MS) };
    const failed = { ...later, lastFailure: 'PROVIDER_UNAVAILABLE', grantId };
    const failedRead = { ...later, lastFailure: 'PROVIDER_UNAVAILABLE', kind: 'LOOKUP' } as const;
    const lookupId = await insertJob(sql, seeded, { ...failedRead, connectionId });
    await insertJob(sql, seeded, { ...failed, run: 7 });
    const awaited = [`lookup/${lookupId}`, `revoke/${grantId}/7`];
    await insertJob(sql, seeded, { ...failed, run: 8, lastFailure: 'PROVIDER_RATE_LIMITED' });
    await insertJob(sql, seeded, { ...failed, run: 9, provider: 'PROVIDER_A' });
    // Its last try failed with the accepted client.
    await insertJob(sql, seeded, { ...failed, run: 10, lastTriedAt: new Date(now + HOUR_MS / 2) });
    await insertJob(sql, seeded, { ...failedRead, connectionId, nextRetryAt: new Date(now - 1_000) });
    await insertJob(sql, seeded, { ...failedRead, connectionId: elsewhere.connectionId, provider: 'PROVIDER_A' });
    await sql`delete from outbox`;
    const delivered = stage.deliveryRequests();

    if (how === 'EXCHANGE') {
      const sealed = await stage.deps.sealInbox('the new secret', associatedData.clientSecret(registrationId));
      await updateRegistrationSecret(sql, registrationId, { sealed, expiresAt: null });
      stage.provider.refresh.mockImplementation(async () => goodTokens());
      await stage.newExchangedAttempt();
    } else {
      await sql`update registration set client_probed_at = null where registration_id = ${registrationId}`;
      stage.provider.probeClient.mockResolvedValue({ verdict: how });
      await probe(stage);
    }
    const woken =
      await sql`select workflow_id, signal_name, restart from outbox where workflow_type <> 'connectAttempt'`;
    expect(woken.map(({ workflowId }) => workflowId).sort()).toEqual(awaited.sort());
    expect(woken.every(({ signalName, restart }) => signalName === 'retryNow' && restart)).toBe(true);
    expect(stage.deliveryRequests()).toBeGreaterThan(delivered);
  });

  test('keeps when the platform accepted it and refused it, also for a second wrong secret', async ({ sql, stage }) => {
    const { PROVIDER_A: other, PROVIDER_B: id } = stage.seeded.registrations;
    const look = async () => {
      const [row] = await sql`
        select accepted_at, rejected_at, refused_from, refused_until from registration where registration_id = ${id}
      `;
      return row as Record<'acceptedAt' | 'rejectedAt' | 'refusedFrom' | 'refusedUntil', Date | null>;
    };
    const test = async (verdict: 'TAKEN' | 'UNCLEAR' | 'REFUSED') => {
      stage.provider.probeClient.mockResolvedValueOnce(verdict === 'REFUSED' ? REFUSED : { verdict });
      await probe(stage);
      await moveClock(sql, MINUTE_MS);
    };
    await sql`update registration set accepted_at = business_now() where registration_id = ${other}`;
    await test('TAKEN');
    const { acceptedAt: accepted } = await look();
    expect(accepted).toEqual(expect.any(Date));
    await test('REFUSED');
    const { rejectedAt: from } = await look();
    for (const secret of ['a wrong secret', 'another wrong secret']) {
      const sealed = await stage.deps.sealInbox(secret, associatedData.clientSecret(id));
      await updateRegistrationSecret(sql, id, { sealed, expiresAt: null });
      expect(await look()).toEqual({
        acceptedAt: accepted,
        rejectedAt: null,
        refusedFrom: from,
        refusedUntil: expect.any(Date),
      });
      await test('REFUSED');
      expect(await look()).toMatchObject({ acceptedAt: accepted, rejectedAt: from });
      const [shown] = await listRegistrations(sql, [id]);
      expect(shown).toMatchObject({ rejectedAt: from, refusedFrom: null, refusedUntil: null }); // It is not over.
    }
    await test('UNCLEAR'); // It is not refused any more, and not accepted again: what follows is the same refusal.
    await test('REFUSED');
    expect((await look()).rejectedAt).toEqual(from);
    await test('TAKEN');
    const { acceptedAt: until, ...over } = await look();
    expect(over).toEqual({ rejectedAt: null, refusedFrom: from, refusedUntil: until });
    await test('REFUSED');
    expect(Number((await look()).rejectedAt)).toBeGreaterThan(Number(until));
    const [row] = await sql`select accepted_at from registration where registration_id = ${other}`;
    expect(row?.acceptedAt).toEqual(expect.any(Date));
  });

  test('is never marked for a refused read: an account can cause it, no token call disproves it', async ({ stage }) => {
    stage.provider.listContent.mockRejectedValueOnce(REFUSED.refusal);
    expect(await failureOf((await scanOnce(stage)).tried)).toMatchObject({ type: 'ClientRejected' });
    expect(await registration(stage)).toMatchObject({ rejectedAt: null });
    expect(stage.provider.probeClient).not.toHaveBeenCalled();
    const unproven = stage.deps.lines.filter((line) => line.includes('no proof yet')).map((line) => JSON.parse(line));
    expect(unproven).toMatchObject([{ provider: 'PROVIDER_B', lastAnswer: 'HTTP_401' }]);
    await (await scanOnce(stage)).tried;
    expect(stage.provider.listContent).toHaveBeenCalledTimes(2);
  });

  test('is not marked for its old secret if that was replaced during the probe', async ({ sql, stage }) => {
    refuse(stage);
    stage.provider.probeClient.mockImplementationOnce(async () => {
      const id = stage.seeded.registrations.PROVIDER_B;
      await sql`update registration set sealed_client_secret = 'another' where registration_id = ${id}`;
      return REFUSED;
    });
    await failureOf(useExpired(stage));
    expect(await registration(stage)).toMatchObject({ rejectedAt: null });
  });

  test('shows that a probe is answered, also if the answer changes nothing', async ({ sql, stage }) => {
    stage.provider.probeClient.mockResolvedValueOnce({ verdict: 'UNCLEAR' });
    await probe(stage);
    const [row] = await sql`
      select client_answered_at >= client_probed_at as answered from registration
      where registration_id = ${stage.seeded.registrations.PROVIDER_B}
    `;
    expect(row?.answered).toBe(true);
  });

  test('is counted as refused once that is proven, whichever call it refuses, and not again once it is over', async ({
    sql,
    stage,
  }) => {
    metrics.disable();
    const served = await startMetrics({ host: LOOPBACK, port: 0 }, createLog('silent'));
    onTestFinished(() => served.close());
    const count = async () => {
      const text = await (await fetch(`http://${LOOPBACK}:${served.port}/metrics`)).text();
      const counts = text.matchAll(
        /^accounts_client_refusals_total\{provider="PROVIDER_B",proof="(\w+)"\} ([1-9]\d*)$/gm,
      );
      return Object.fromEntries([...counts].map(([, proof, number]) => [proof, Number(number)]));
    };
    const readRefused = async () => {
      stage.provider.listContent.mockRejectedValueOnce(REFUSED.refusal);
      expect(await failureOf((await scanOnce(stage)).tried)).toMatchObject({ type: 'ClientRejected' });
    };
    await readRefused();
    expect(await count()).toEqual({ NOT_TRIED: 1 });
    stage.provider.probeClient.mockResolvedValueOnce(REFUSED);
    await probe(stage);
    // Within a minute of the test.
    stage.provider.revoke.mockRejectedValueOnce(rejected());
    const { revokeJobId } = await stage.disconnect(await stage.newConnection());
    const revoking = runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await failureOf(revoking)).toMatchObject({ type: 'ClientRejected' });
    await readRefused();
    expect(await count()).toEqual({ NOT_TRIED: 1, REFUSED: 2 });
    await moveClock(sql, MINUTE_MS);
    stage.provider.probeClient.mockResolvedValueOnce({ verdict: 'TAKEN' });
    await probe(stage);
    await readRefused();
    expect(await count()).toEqual({ NOT_TRIED: 2, REFUSED: 2 });
  });

  test('still revokes', async ({ stage }) => {
    refuse(stage);
    await failureOf(useExpired(stage));
    const { revokeJobId } = await stage.disconnect(await stage.newConnection());
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED' });
    // A revoke may work without client authentication, so it proves nothing about our client.
    expect(await registration(stage)).toMatchObject({ rejectedAt: expect.any(Date) });
  });
});
