import { describe, expect, test, vi } from 'vitest';
import { requireTokens, storeWithRetries } from '../../src/activities/grant-tokens.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import type { Grant } from '../../src/store/grants/grants.ts';
import { holdPauses } from './pauses.ts';

const grant = (status: Grant['status'], sealedTokens: string | null) => ({ status, sealedTokens }) as Grant;

describe('the tokens of a grant', () => {
  test.each(['PENDING', 'LIVE', 'REVOKING'] as const)('are there while it is %s', (status) => {
    expect(requireTokens(grant(status, 'sealed'))).toEqual({ status, sealedTokens: 'sealed' });
  });

  test.each([
    ['none was found', undefined],
    ['it has ended', grant('DEAD', 'sealed')],
    ['they are gone', grant('LIVE', null)],
  ])('are not there if %s', (_, found) => {
    expect(() => requireTokens(found)).toThrow(new ProviderError('GrantDead', 'The grant has ended.'));
    expect(() => requireTokens(found)).toThrow(expect.objectContaining({ type: 'GrantDead' }));
  });
});

describe('a value that a provider issues only once', () => {
  const { signal } = new AbortController();
  function hold() {
    const pauses = holdPauses();
    pauses.skip();
    return pauses;
  }

  test.each([
    [0, []],
    [1, [200]],
    [4, [200, 400, 800, 1_600]],
  ])('is stored after %d failures, with pauses of %j ms', async (failures, expected) => {
    const { lengths } = hold();
    let tries = 0;
    await storeWithRetries(signal, async () => {
      tries += 1;
      if (tries <= failures) throw new Error('Away.');
    });
    expect(tries).toBe(failures + 1);
    expect(lengths()).toEqual(expected);
  });

  test('is lost after five failures', async () => {
    const { lengths } = hold();
    const store = vi.fn().mockRejectedValue(new Error('Away.'));
    await expect(storeWithRetries(signal, store)).rejects.toThrow('Away.');
    expect(store).toHaveBeenCalledTimes(5);
    expect(lengths()).toEqual([200, 400, 800, 1_600]);
  });

  test('is tried again without a pause while the worker stops', async () => {
    holdPauses();
    const store = vi.fn().mockRejectedValueOnce(new Error('Away.')).mockResolvedValueOnce(undefined);
    await storeWithRetries(AbortSignal.abort(), store);
    expect(store).toHaveBeenCalledTimes(2);
  });
});
