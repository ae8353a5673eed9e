import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type ImportLine, importConnection } from '../../src/activities/import-connection.ts';
import { Secret } from '../../src/basics/secret.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { findConnection } from '../../src/store/connections/connections.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { openStage } from '../kit/activity-stage.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { asImporter, test } from '../kit/postgres.ts';
import { rejectClient, setEnabled } from '../kit/seed.ts';

/** The import of one line, as the command runs it. PROVIDER_B's refresh tokens rotate, PROVIDER_A's do not. */
async function open(sql: Database) {
  const stage = await openStage(sql);
  const { deps, seeded } = stage;
  const lineOf = (provider: 'PROVIDER_A' | 'PROVIDER_B', changes: Partial<ImportLine['tokens']> = {}): ImportLine => ({
    scope: seeded.newScope(),
    provider,
    registrationId: seeded.registrations[provider],
    capabilities: null,
    tokens: { ...newTokens({ refreshToken: new Secret(`foreign-${randomUUID()}`) }), ...changes },
  });
  const run = (line: ImportLine) =>
    importConnection(
      { ...deps, sql: asImporter(sql) },
      { appId: seeded.app.appId, acceptUnproven: false, dryRun: false, signal: AbortSignal.timeout(30_000) },
      line,
    );
  return { ...stage, lineOf, run };
}

test.for(['PROVIDER_A', 'PROVIDER_B'] as const)(
  '%s: an imported connection sends one event to the app at once',
  async (provider, { sql }) => {
    const { lineOf, run, deps, providers } = await open(sql);
    const YOUTUBE = ['https://www.googleapis.com/auth/youtube.readonly'];
    providers.PROVIDER_A.adoptTokens.mockImplementation(async () => ({
      ...{ client: 'OURS', tokens: newTokens({ permissions: YOUTUBE }), principal: 'account-1' },
    }));
    const line = lineOf(provider);
    const first = await run(line);
    expect(first).toMatchObject({ outcome: 'IMPORTED' });
    expect(deps.deliveryRequests()).toBe(1);
    const connectionId = 'connectionId' in first ? first.connectionId : null;
    if (connectionId === null) throw new Error('It has no connection.');
    expect(await findConnection(sql, connectionId)).toMatchObject({ status: 'CONNECTED', provider });
    expect(await run(line)).toEqual({ outcome: 'ALREADY_IMPORTED', connectionId });
    // Other tokens of the same account: the connection works, so it stays as it is.
    expect(await run({ ...lineOf(provider), scope: line.scope })).toEqual({
      outcome: 'ALREADY_CONNECTED',
      connectionId,
    });
    expect(deps.deliveryRequests()).toBe(1);
  },
);

test('a line without a token fails before any call', async ({ sql }) => {
  const { lineOf, run, provider } = await open(sql);
  expect(await run(lineOf('PROVIDER_B', { accessToken: null, refreshToken: null }))).toEqual({
    outcome: 'FAILED',
    code: 'NO_TOKEN',
    message: 'The line has no token that can be used: give the refresh token, for PROVIDER_C the access token.',
    retryable: false,
    retryAfterSeconds: null,
  });
  expect(provider.adoptTokens).not.toHaveBeenCalled();
});

test('a pause that the platform asks for is part of the failure', async ({ sql }) => {
  const { lineOf, run, provider } = await open(sql);
  provider.adoptTokens.mockRejectedValueOnce(new ProviderError('RetryLater', 'Busy.', { retryAfterSeconds: 90 }));
  expect(await run(lineOf('PROVIDER_B'))).toMatchObject({
    ...{ outcome: 'FAILED', code: 'PROVIDER_UNAVAILABLE', retryable: true, retryAfterSeconds: 90 },
  });
});

test.for([
  ['PROVIDER_B', 'ANSWER_LOST'], // It rotates: the old token may be spent.
  ['PROVIDER_A', 'PROVIDER_UNAVAILABLE'],
] as const)('%s: a lost answer fails the line with %s', async ([name, code], { sql }) => {
  const { lineOf, run, deps, providers } = await open(sql);
  const lost = new ProviderError('RetryLater', 'No answer.', { outcomeUnknown: true });
  providers[name].adoptTokens.mockRejectedValueOnce(lost);
  expect(await run(lineOf(name))).toMatchObject({ outcome: 'FAILED', code, retryable: true });
  expect(deps.lines.join('\n')).not.toContain('A line could not be imported');
});

test('a line fails without a call while the platform refuses our client', async ({ sql }) => {
  const { lineOf, run, provider, seeded } = await open(sql);
  await rejectClient(sql, seeded.registrations.PROVIDER_B);
  expect(await run(lineOf('PROVIDER_B'))).toMatchObject({
    outcome: 'FAILED',
    code: 'PROVIDER_UNAVAILABLE',
    retryAfterSeconds: 60,
  });
  expect(provider.adoptTokens).not.toHaveBeenCalled();
});

test('an unexpected error is logged, and may be tried again', async ({ sql }) => {
  const { lineOf, run, provider, deps } = await open(sql);
  provider.adoptTokens.mockRejectedValueOnce(new TypeError('A fault of ours.'));
  expect(await run(lineOf('PROVIDER_B'))).toMatchObject({ outcome: 'FAILED', code: 'INTERNAL', retryable: true });
  expect(deps.lines.join('\n')).toContain('A line could not be imported');
});

test('an app that is disabled between two requests of a line keeps the tokens it has, and reads no account', async ({
  sql,
}) => {
  const { lineOf, run, provider, seeded, deps } = await open(sql);
  const adopt = provider.adoptTokens.getMockImplementation();
  provider.adoptTokens.mockImplementationOnce(async (...input) => {
    await input[2].admit({ quotaUnits: 0, cannotWait: false });
    const adopted = await adopt?.(...input);
    await setEnabled(sql, seeded.app.appId, false);
    return adopted as never;
  });
  let isRead = false;
  provider.readAccount.mockImplementationOnce(async (_access, call) => {
    await call.admit({ quotaUnits: 0, cannotWait: false });
    isRead = true;
    throw new Error('Nobody may read it.');
  });
  const line = lineOf('PROVIDER_B');
  expect(await run(line)).toMatchObject({ outcome: 'FAILED', code: 'POLICY_CHANGED', retryable: true });
  expect(deps.lines.join('\n')).not.toContain('could not be imported');
  expect(isRead).toBe(false);
  await setEnabled(sql, seeded.app.appId, true);
  expect(await run(line)).toMatchObject({ outcome: 'IMPORTED' });
  expect(provider.adoptTokens).toHaveBeenCalledTimes(1);
});
