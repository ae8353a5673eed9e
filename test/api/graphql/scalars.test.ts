import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DateTime, DecimalCount, parseDateTime, parseDecimalCount } from '../../../src/api/graphql/scalars.ts';

describe('DateTime takes', () => {
  test.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.1Z', '2026-01-31T09:30:00.100Z'],
    ['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00.9999Z', '2026-01-31T09:30:00.999Z'],
    ['2026-01-31T09:30:00+05:30', '2026-01-31T04:00:00.000Z'],
    ['2026-01-31T00:30:00.5-23:59', '2026-02-01T00:29:00.500Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s', (text, instant) => {
    expect(DateTime.serialize(parseDateTime(text))).toBe(instant);
  });

  test('what it gives', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => parseDateTime(DateTime.serialize(date)).getTime() === date.getTime(),
      ),
    );
  });
});

describe('DateTime refuses', () => {
  test.each([
    '2026-01-31T09:30:00',
    '2026-01-31',
    '2026-01-31 09:30:00Z',
    '2026-01-31T09:30Z',
    '2026-01-31T09:30:00.Z',
    '2026-01-31T09:30:00.1234567890Z',
    '2026-01-31T09:30:00+0530',
    '2026-01-31T09:30:00+24:00',
    '2026-01-31T09:30:00+05:60',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T23:60:00Z',
    '2026-01-31T23:59:60Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+12026-01-31T09:30:00Z',
    ' 2026-01-31T09:30:00Z',
    '2026-01-31T09:30:00Z\n',
    '',
    0,
    1_769_851_800_000,
    null,
    ['2026-01-31T09:30:00Z'],
  ])('%j', (value) => {
    expect(() => parseDateTime(value)).toThrow('A DateTime is written like');
  });

  test('to give anything but a Date', () => {
    expect(() => DateTime.serialize('2026-01-31T09:30:00Z')).toThrow(TypeError);
    expect(() => DateTime.serialize(new Date(Number.NaN))).toThrow(RangeError);
  });
});

describe('DecimalCount', () => {
  test.each(['0', '7', '18446744073709551616', '9'.repeat(100)])('takes and gives %s', (text) => {
    expect(parseDecimalCount(text)).toBe(text);
    expect(DecimalCount.serialize(text)).toBe(text);
  });
  test.each(['', '-1', '+1', '01', '1.0', '1e3', '0x1', ' 1', '1\n', '١', 1, 0, null])('refuses %j', (value) => {
    expect(() => parseDecimalCount(value)).toThrow('A DecimalCount is');
    expect(() => DecimalCount.serialize(value)).toThrow('A DecimalCount is');
  });
});
