import { describe, expect, test } from 'vitest';
import { asJson, asText } from '../../src/cli/print.ts';

const ROW = { jobId: 'j', tries: 3, delivered: false, capabilities: ['PROFILE', 'CONTENT_LIST'], revokedAt: null };

describe('what a command prints', () => {
  test('has its types for a program: one object, or a list', () => {
    expect(JSON.parse(asJson(ROW))).toEqual(ROW);
    expect(JSON.parse(asJson([ROW]))).toEqual([ROW]);
    expect(JSON.parse(asJson([]))).toEqual([]);
    expect(asJson(ROW).endsWith('}\n')).toBe(true);
  });

  test('is a line for each value to a person, in words where JSON has none', () => {
    expect(asText({ ...ROW, none: [], yes: true })).toBe(
      [
        'jobId           j',
        'tries           3',
        'delivered       no',
        'capabilities    PROFILE CONTENT_LIST',
        'revokedAt       -',
        'none            none',
        'yes             yes',
        '',
      ].join('\n'),
    );
  });

  test('is a table where there are several, and says so where there is none', () => {
    expect(
      asText([
        { id: 'a', tries: 10, at: null },
        { id: 'bbb', tries: 2, at: 'x' },
      ]),
    ).toBe('id   tries  at\na    10     -\nbbb  2      x\n');
    expect(asText([])).toBe('None.\n');
  });
});
