import { expect } from 'vitest';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

test('a bulk disconnect: its steps and calls, and its new run', async ({ temporal }) => {
  const type = 'disconnectAll';
  const input = { bulkDisconnectId: 'b' };
  const batches = () => ({
    disconnectBatch: inTurn({ disconnected: 2, total: 3, done: false }, { disconnected: 3, total: 3, done: true }),
  });
  const seen = await readTranscripts(temporal, [
    { type, input, activities: batches() },
    { type, input, activities: batches(), longAt: 9 },
  ]);
  const batch = 'disconnectBatch queued () {"bulkDisconnectId":"b"}';
  const some = 'DISCONNECT_ALL, 2 of 3: 2 of 3 connection(s) disconnected.';
  const all = ['ENDED, 3 of 3: 3 of 3 connection(s) disconnected.', 'returns undefined'];
  expect(seen).toEqual([
    ['DISCONNECT_ALL', batch, some, batch, ...all],
    ['DISCONNECT_ALL', batch, some, 'continues as new {"bulkDisconnectId":"b"}', 'DISCONNECT_ALL', batch, ...all],
  ]);
});
