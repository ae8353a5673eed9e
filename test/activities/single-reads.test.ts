import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { failureOf, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { post } from '../kit/fake-provider.ts';
import { insertContent } from '../kit/seed.ts';
import { callerRead, insertLookup } from '../kit/seed-jobs.ts';

const URL = 'https://platform.example/v/1';
const newLookup = (stage: Stage, connectionId: ConnectionId) =>
  insertLookup(stage.sql, {
    ...callerRead(stage.seeded, 'PROVIDER_B', connectionId),
    url: URL,
    urlSha256: createHash('sha256').update(URL).digest(),
  });

test('a lookup finds a stored post by the code in its URL, of this connection only', async ({ sql, stage }) => {
  const [own, other] = [await stage.newConnection(), await stage.newConnection()];
  const at = (code: string) => ({ canonicalUrl: `https://www.instagram.com/reel/${code}/` });
  const seen = [post('a', new Date(), at('DExAmP_0001')), post('b', new Date(), at('DExAmPx0001'))];
  await insertContent(sql, own.connectionId, seen, { withMetrics: false });
  const { jobId } = await newLookup(stage, own.connectionId);
  await failureOf(runActivity(stage.activities.runLookupStep, { jobId }));
  const known = stage.provider.lookUp.mock.calls[0]?.[1].known;
  expect(await known?.('DExAmP_0001')).toBe('a');
  expect(await known?.('DExAmP')).toBeUndefined();
  const { jobId: others } = await newLookup(stage, other.connectionId);
  await failureOf(runActivity(stage.activities.runLookupStep, { jobId: others }));
  expect(await stage.provider.lookUp.mock.calls[1]?.[1].known?.('DExAmP_0001')).toBeUndefined();
});

test('a missing permission of a replaced grant does not change the capabilities of the new one', async ({
  sql,
  stage,
}) => {
  const { connectionId, grantId } = await stage.newConnection({ capabilities: ['CONTENT_LIST'] });
  const { jobId } = await stage.newScan(connectionId);
  stage.provider.listContent.mockImplementationOnce(async () => {
    // The person reconnects meanwhile.
    await sql`update account_grant set status = 'PENDING', connection_id = null where grant_id = ${grantId}`;
    await sql`
      insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status,
        permissions, sealed_tokens, obtained_at)
      select gen_random_uuid(), gen_random_uuid(), scope_id, provider, registration_id, ${connectionId}, 'LIVE',
        permissions, sealed_tokens, business_now()
      from account_grant where grant_id = ${grantId}
    `;
    throw new ProviderError('PermissionMissing', 'No.');
  });
  const step = runActivity(stage.activities.runScanStep, { jobId });
  expect(await failureOf(step)).toMatchObject({ type: 'RetryLater' }); // The next try reads with the new grant.
  const [row] = await sql`select capabilities from connection where connection_id = ${connectionId}`;
  expect(row?.capabilities).toMatchObject([{ capability: 'CONTENT_LIST', availability: 'AVAILABLE' }]);
});
