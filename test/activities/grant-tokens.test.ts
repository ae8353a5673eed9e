import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { requireTokens, storeWithRetries } from '../../src/activities/grant-tokens.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import type { Grant } from '../../src/store/grants/grants.ts';

vi.mock('node:timers/promises', { spy: true });

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
  beforeEach(() => {
    vi.mocked(delay).mockReset().mockResolvedValue(undefined);
  });
  const pauses = () => vi.mocked(delay).mock.calls.map(([ms]) => ms);

  test.each([
    [0, []],
    [1, [200]],
    [4, [200, 400, 800, 1_600]],
  ])('is stored after %d failures, with pauses of %j ms', async (failures, expected) => {
    let tries = 0;
    await storeWithRetries(signal, async () => {
      tries += 1;
      if (tries <= failures) throw new Error('Away.');
    });
    expect(tries).toBe(failures + 1);
    expect(pauses()).toEqual(expected);
  });

  test('is lost after five failures', async () => {
    const store = vi.fn().mockRejectedValue(new Error('Away.'));
    await expect(storeWithRetries(signal, store)).rejects.toThrow('Away.');
    expect(store).toHaveBeenCalledTimes(5);
    expect(pauses()).toEqual([200, 400, 800, 1_600]);
  });

  test('is tried again without a pause while the worker stops', async () => {
    vi.mocked(delay).mockRejectedValue(new Error('Aborted.'));
    const store = vi.fn().mockRejectedValueOnce(new Error('Away.')).mockResolvedValueOnce(undefined);
    await storeWithRetries(signal, store);
    expect(store).toHaveBeenCalledTimes(2);
    expect(vi.mocked(delay)).toHaveBeenCalledWith(200, undefined, { signal });
  });
});
