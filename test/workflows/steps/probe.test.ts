import { expect } from 'vitest';
import { failure } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

test('a probe of our client: its steps and its call', async ({ temporal }) => {
  const type = 'clientProbe';
  const input = { registrationId: 'r', provider: 'PROVIDER_B' };
  const seen = await readTranscripts(temporal, [
    { type, input },
    { type, input, activities: { probeRegistration: inTurn(failure('RetryLater')) } },
  ]);
  const asked = [
    'PROBE',
    'probeRegistration on PROVIDER_B-GRANTS, priority 2 (check whether the provider accepts our client) ' +
      '{"registrationId":"r"}',
  ];
  expect(seen).toEqual([
    [...asked, 'ENDED: The provider has answered; the registration shows the result.', 'returns undefined'],
    [...asked, 'ENDED: No answer: RetryLater. The sweep asks again.', 'returns undefined'],
  ]);
});
