import { expect } from 'vitest';
import type * as workflows from '../../../src/workflows/index.ts';
import { MINUTE_MS } from '../../kit/fake-activities.ts';
import { type Course, readTranscripts, test } from '../transcripts.ts';

type Input = Course['input'];

const inTime = (rest: object) => (nowMs: number) => ({
  attemptId: 'a',
  expiresAt: new Date(nowMs + 10 * MINUTE_MS).toISOString(),
  ...rest,
});
const provider = 'PROVIDER_B';
const read = { jobId: 'j', connectionId: 'c', provider };
const OF_READ = '{"jobId":"j","connectionId":"c"}';
const INLINE = `{"provider":"PROVIDER_B","input":${OF_READ}}`;
const REVOKE = [
  'tryRevokeInline local {"provider":"PROVIDER_B","input":{"jobId":"r"}}',
  'tryRevoke on PROVIDER_B-GRANTS, priority 2 {"jobId":"r"}',
];

/** Of each workflow: its input, and all that it asks for if nothing fails, with queues. The fakes leave each inline step to its queue. */
const USUAL: Readonly<Record<keyof typeof workflows, readonly [Input, ...lines: readonly string[]]>> = {
  connectAttempt: [
    inTime({ provider }),
    'obtainGrantInline local {"provider":"PROVIDER_B","input":{"attemptId":"a"}}',
    'obtainGrant on PROVIDER_B-CONNECTS, priority 1 {"attemptId":"a"}',
    'completeAttempt local {"attemptId":"a"}',
    'returns {"status":"COMPLETED","resultCode":null}',
  ],
  identityAttempt: [
    inTime({}),
    'exchangeIdentityCode on IDENTITY, priority 1 {"attemptId":"a"}',
    'endIdentityAttempt local {"attemptId":"a","status":"EXPIRED"}',
    'returns "COMPLETED"',
  ],
  scan: [read, `runScanStepInline local ${INLINE}`, `runScanStep on PROVIDER_B, priority 3 ${OF_READ}`],
  metricsRefresh: [read, `runMetricsStepInline local ${INLINE}`, `runMetricsStep on PROVIDER_B, priority 3 ${OF_READ}`],
  contentLookup: [read, `runLookupStepInline local ${INLINE}`, `runLookupStep on PROVIDER_B, priority 1 ${OF_READ}`],
  disconnect: [
    { connectionId: 'c', provider, revokeJobId: 'r', eraseJobId: 'e', revoked: true },
    'purgeContent local {"connectionId":"c","revokeJobId":"r","eraseJobId":"e","revoked":true}',
    ...REVOKE,
    'eraseConnection local {"connectionId":"c","eraseJobId":"e"}',
  ],
  revokeGrant: [{ jobId: 'r', provider }, ...REVOKE],
  disconnectAll: [{ bulkDisconnectId: 'b' }, 'disconnectBatch queued {"bulkDisconnectId":"b"}'],
  verifySiblings: [{ jobId: 'j', provider }, 'listSiblings queued {"jobId":"j"}'],
  verifyGrant: [
    { connectionId: 'c', provider },
    'checkGrant on PROVIDER_B-GRANTS, priority 3 {"connectionId":"c"}',
    'resumeSibling queued {"connectionId":"c"}',
  ],
  connectionUpkeep: [
    { connectionId: 'c', provider },
    'checkGrant on PROVIDER_B-GRANTS, priority 5 {"connectionId":"c"}',
  ],
  sendWebhooks: [{ endpointId: 'w' }, 'sendDueWebhooks on WEBHOOKS {"endpointId":"w"}', 'waits 30 s'],
  clientProbe: [
    { registrationId: 'r', provider },
    'probeRegistration on PROVIDER_B-GRANTS, priority 2 {"registrationId":"r"}',
  ],
  sweep: [
    { kind: 'minute' },
    'reconcileRows queued {"positions":{}}',
    'startUpkeep queued {"positions":{}}',
    'returns {"rows":{},"failed":[],"positions":{}}',
  ],
};

test('every workflow asks for its steps in their order, with ids alone, in its queue', async ({ temporal }) => {
  const courses = Object.entries(USUAL).map(([type, [input]]) => ({ type, input }));
  const seen = await readTranscripts(temporal, courses);
  const wanted = Object.values(USUAL).map(([_input, ...lines]) =>
    lines.at(-1)?.startsWith('returns') ? lines : [...lines, 'returns undefined'],
  );
  expect(seen).toEqual(wanted);
});
