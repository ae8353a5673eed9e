import { describe, expect, test } from 'vitest';
import { isPatchTaken } from '../../src/workflows/patches.ts';
import { readTrace, spanIdOf, withTrace } from '../../src/workflows/trace-header.ts';
import * as versioned from '../../src/workflows/versioned.ts';

describe('versions of workflows', () => {
  test('those that may wait for days move to the current one', () => {
    const moving = Object.entries<Workflow>(versioned).flatMap(([name, { workflowDefinitionOptions: options }]) =>
      options?.versioningBehavior === 'AUTO_UPGRADE' ? [name] : [],
    );
    expect(moving.sort()).toEqual([
      'contentLookup',
      'disconnect',
      'metricsRefresh',
      'revokeGrant',
      'scan',
      'sendWebhooks',
      'verifyGrant',
      'verifySiblings',
    ]);
  });

  test('a patch is taken early only if an operator sets it; those of the SDK are always', () => {
    expect([
      isPatchTaken('ours'),
      isPatchTaken('ours', ['theirs']),
      isPatchTaken('ours', ['ours']),
      isPatchTaken('__sdk_internal_patch_number:1'),
    ]).toEqual([false, false, true, true]);
  });
});

interface Workflow {
  (input: never): Promise<unknown>;
  readonly workflowDefinitionOptions?: { readonly versioningBehavior?: string };
}

test('the header of a trace: as it was written, with a span for each run', () => {
  const carrier = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  expect(readTrace({})).toBeUndefined();
  expect(readTrace(withTrace({}, carrier))).toEqual(carrier);
  expect(spanIdOf('0af76519-16cd-43dd-8448-eb211c80319c')).toBe('8448eb211c80319c');
});
