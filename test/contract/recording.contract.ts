import { expect, test } from 'vitest';
import { readRecording } from '../../src/cli/try-provider/recording.ts';
import { replay } from '../cli/trial.ts';

const file = process.env.CONTRACT_RECORDING;

test.skipIf(file === undefined)('the adapter reads the recording as it did when it was made', async () => {
  const recording = readRecording(file ?? '');
  expect(recording.provider).toBe(process.env.CONTRACT_PROVIDER);
  const { transcript } = await replay(recording);
  for (const line of transcript.lines) process.stdout.write(`${line}\n`);
  expect(transcript.differences).toEqual(recording.differences);
});
