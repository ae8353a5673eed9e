import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { importConnection } from '../../src/activities/import-connection.ts';
import { Secret } from '../../src/basics/secret.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { openStage } from '../kit/activity-stage.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { asImporter, test } from '../kit/postgres.ts';

const lost = new ProviderError('RetryLater', 'No answer.', { outcomeUnknown: true });
const busy = new ProviderError('RetryLater', 'Busy.', { retryAfterSeconds: 90 });

test.for([
  ['PROVIDER_B', lost, { code: 'ANSWER_LOST', retryable: true }], // It rotates: the old token may be spent.
  ['PROVIDER_A', lost, { code: 'PROVIDER_UNAVAILABLE', retryable: true }],
  ['PROVIDER_B', busy, { code: 'PROVIDER_UNAVAILABLE', retryable: true, retryAfterSeconds: 90 }],
  ['PROVIDER_B', null, { code: 'NO_TOKEN', retryable: false }],
] as const)('%s: a line fails after %s with %j', async ([provider, error, failure], { sql }) => {
  const { deps, seeded, providers } = await openStage(sql);
  if (error !== null) providers[provider].adoptTokens.mockRejectedValueOnce(error);
  const held = { refreshToken: new Secret(`foreign-${randomUUID()}`) };
  const none = { accessToken: null, refreshToken: null };
  const outcome = await importConnection(
    { ...deps, sql: asImporter(sql) },
    { appId: seeded.app.appId, acceptUnproven: false, dryRun: false, signal: AbortSignal.timeout(30_000) },
    {
      scope: seeded.newScope(),
      provider,
      registrationId: seeded.registrations[provider],
      capabilities: null,
      tokens: { ...newTokens(held), ...(error === null && none) },
    },
  );
  expect(outcome).toMatchObject({ outcome: 'FAILED', ...failure });
  expect(providers[provider].adoptTokens).toHaveBeenCalledTimes(error === null ? 0 : 1);
});
