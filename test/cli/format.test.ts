import { describe, expect, test } from 'vitest';
import { formatJson, formatText } from '../../src/cli/format.ts';
import { readOptions } from '../../src/cli/read-options.ts';

const ROW = { jobId: 'j', tries: 3, delivered: false, capabilities: ['PROFILE', 'CONTENT_LIST'], revokedAt: null };

describe('the output of a command', () => {
  test('is typed JSON for programs: one object, or a list', () => {
    expect(JSON.parse(formatJson(ROW))).toEqual(ROW);
    expect(JSON.parse(formatJson([ROW]))).toEqual([ROW]);
    expect(JSON.parse(formatJson([]))).toEqual([]);
    expect(formatJson(ROW).endsWith('}\n')).toBe(true);
  });

  test('has a line for each value for people, with words for null', () => {
    expect(formatText({ ...ROW, none: [], yes: true })).toBe(
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

  test('strips terminal control sequences from names', () => {
    const esc = String.fromCodePoint(27);
    const told = formatText({ name: `a${esc}[2Jb\n\u{202E}c`, list: [`${esc}]0;x`] });
    expect(told).toBe(`name            a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\nlist            \u{FFFD}]0;x\n`);
    for (const character of [esc, '\u{9B}', '\u{202E}', '\u{2028}', '\u{E0001}', '\u{7F}']) {
      const json = formatJson([{ name: character }]);
      expect(json).toMatch(/^[\x20-\x7e]+\n$/);
      expect(JSON.parse(json)).toEqual([{ name: character }]);
    }
  });

  test('is a table for several rows, and reports an empty list', () => {
    expect(
      formatText([
        { id: 'a', tries: 10, at: null },
        { id: 'bbb', tries: 2, at: 'x' },
      ]),
    ).toBe('id   tries  at\na    10     -\nbbb  2      x\n');
    expect(formatText([])).toBe('None.\n');
  });
});

test('a secret on the command line is refused and not repeated', () => {
  const head = { usage: 'registration create', summary: '', options: { label: { type: 'string' } } } as const;
  for (const args of [
    ['sekret-1f'],
    ['--label', 'x', 'sekret-1f'],
    ['--secret=sekret-1f'],
    ['--secret', 'sekret-1f'],
  ]) {
    let message = '';
    try {
      readOptions(head, args);
    } catch (error) {
      message = String(error);
    }
    expect(message, args.join(' ')).toContain('Usage: registration create');
    expect(message).not.toContain('sekret-1f');
  }
});
