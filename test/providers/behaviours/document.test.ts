import { describe, expect, test } from 'vitest';
import { type Behaviours, findFaults, type RunTest, writeBehaviours } from './document.ts';

const BEHAVIOURS: Behaviours = {
  byProvider: { Grants: { Refresh: { PROVIDER_C: 'it | has none.' } } },
  shared: { Races: ['One refresh for many'] },
};

function ran(name: string, ...proofs: (string | readonly [string, ...string[]])[]): RunTest {
  const [file = '', ...path] = name.split(' > ');
  const given = proofs.map((proof) => [proof].flat() as [string, ...string[]]);
  return { file, path, passed: true, proofs: given.map(([behaviour, ...providers]) => ({ behaviour, providers })) };
}

const ALL = [
  ran('providers/provider-a/oauth > refresh > works', 'Refresh'),
  ran('providers/provider-a/oauth > revoke > works'),
  ran('providers/contract > PROVIDER_B > refresh > 1', 'Refresh'),
  ran('providers/contract > PROVIDER_B > refresh > 2', 'Refresh'),
  ran('providers/contract > PROVIDER_B > revoke'),
  ran('shared > once', 'One refresh for many', ['Refresh', 'PROVIDER_B']),
];
const without = (name: string) => ALL.filter(({ path }) => !path.join(' > ').startsWith(name));

describe('behaviours and the tests that prove them', () => {
  test('agree if each behaviour is proven or has a reason at each platform', () => {
    expect(findFaults(BEHAVIOURS, ALL)).toEqual([]);
  });

  test('differ if no test proves a behaviour at a platform, or at all', () => {
    expect(findFaults(BEHAVIOURS, without('refresh'))).toEqual(['no test proves "Refresh" at PROVIDER_A']);
    expect(findFaults(BEHAVIOURS, without('once'))).toEqual(['no test proves "One refresh for many"']);
  });

  test('differ if a test proves a behavior that does not exist, does not apply, or is of no platform', () => {
    const odd = [
      ran('a > b', 'Rotation'),
      ran('providers/provider-c/oauth > refresh', 'Refresh'),
      ran('activities/tokens > refresh at PROVIDER_A and PROVIDER_B', 'Refresh'),
    ];
    expect(findFaults(BEHAVIOURS, [...ALL, ...odd])).toEqual([
      '"Refresh" does not apply to PROVIDER_C, and a test proves it',
      'a > b proves an unknown behaviour: "Rotation"',
      'activities/tokens > refresh at PROVIDER_A and PROVIDER_B does not say at which platform it proves "Refresh"',
    ]);
  });

  test('appear in the document: whole groups as one, held only if every test of a behaviour passed', () => {
    const failing = ALL.map((one) => (one.path.at(-1) === '2' ? { ...one, passed: false } : one));
    const document = writeBehaviours(BEHAVIOURS, failing);
    expect(document).toContain('| Behaviour | PROVIDER_A | PROVIDER_B | PROVIDER_C |');
    expect(document).toContain(
      '| Refresh | **held**<br>`providers/provider-a/oauth`: refresh > works ' +
        '| **not held**<br>`providers/contract`: PROVIDER_B > refresh > …<br>`shared`: once ' +
        '| not applicable: it \\| has none. |',
    );
    expect(document).toContain('| One refresh for many | **held**<br>`shared`: once |');
  });
});
