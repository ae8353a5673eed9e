import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  between,
  capabilityList,
  externalSubjectId,
  issuerUrl,
  isUrl,
  launchOrigin,
  lineOf,
  logo,
  logoInBase64,
  pageColor,
  permissionList,
  requireDailyQuota,
  requireHttpsInProduction,
  requirePermissions,
  returnUrl,
  tenantKey,
  textOf,
  webhookEventTypes,
} from '../../src/domain/rules/input-rules.ts';
import type { PlatformQuota } from '../../src/providers/facts.ts';
import { makePng } from '../kit/images.ts';

const RULES = {
  line: lineOf(100),
  text: textOf(4_000),
  tenantKey,
  externalSubjectId,
  permissionList,
  webhookEventTypes,
  returnUrl,
  launchOrigin,
  issuerUrl,
};

const faultsOf = (rule: z.ZodType, value: unknown): string[] =>
  (rule.safeParse(value).error?.issues ?? []).map(({ message }) => message);

describe('a text', () => {
  test.each([
    ['line', 100],
    ['text', 4_000],
    ['tenantKey', 128],
    ['externalSubjectId', 128],
  ] as const)('of the rule %s has 1 to %i characters', (name, most) => {
    const rule = RULES[name];
    for (const length of [1, most]) {
      expect(faultsOf(rule, 'x'.repeat(length))).toEqual([]);
      expect(faultsOf(rule, '🐟'.repeat(length))).toEqual([]);
    }
    for (const wrong of ['', 'x'.repeat(most + 1), '🐟'.repeat(most + 1)]) {
      expect(faultsOf(rule, wrong)).toEqual([`must be 1 to ${most.toLocaleString('en')} characters`]);
    }
  });

  test.each(['line\nbreak', 'bell\u0007', 'right\u202eleft', 'isolated\u2066', 'para\u2029graph'])(
    'of a name is refused as %j',
    (name) => {
      expect(faultsOf(RULES.line, name)).toEqual(['must not contain line breaks, control or direction characters']);
    },
  );

  test('of a name is visible, and without its surrounding whitespace', () => {
    expect(RULES.line.parse('  Quay 7\n')).toBe('Quay 7');
    expect(faultsOf(RULES.line, '\u200b')).toEqual(['must contain a visible character']);
  });

  test.each(['a\0b', 'a\ud800'])('that Postgres cannot store is refused: %j', (value) => {
    expect(faultsOf(RULES.text, value)).toEqual(['must not contain NUL or unpaired surrogates']);
  });
});

test('a number is a whole one within its bounds', () => {
  const rule = between(15, 43_200);
  for (const fine of [15, 16, 43_200]) expect(faultsOf(rule, fine)).toEqual([]);
  for (const wrong of [14, 43_201, 15.5]) expect(faultsOf(rule, wrong)).toEqual(['must be 15 to 43,200']);
});

describe('a list', () => {
  test.each([
    ['permissionList', 'read', 'list'],
    ['webhookEventTypes', 'connection.connected', 'job.finished'],
  ] as const)('of the rule %s names at least one, and none twice', (name, one, other) => {
    for (const fine of [[one], [one, other]]) expect(faultsOf(RULES[name], fine)).toEqual([]);
    expect(faultsOf(RULES[name], [])).toEqual(['must name at least one']);
    expect(faultsOf(RULES[name], [one, other, one])).toEqual(['must not name one twice']);
  });

  test('of capabilities may be empty', () => {
    for (const fine of [[], ['PROFILE'], ['PROFILE', 'CONTENT_LIST']])
      expect(faultsOf(capabilityList, fine)).toEqual([]);
    expect(faultsOf(capabilityList, ['PROFILE', 'PROFILE'])).toEqual(['must not name one twice']);
  });

  test('of permissions has names of at most 200 characters', () => {
    expect(faultsOf(permissionList, ['x'.repeat(200)])).toEqual([]);
    expect(faultsOf(permissionList, ['x'.repeat(201)])).toEqual(['must be 1 to 200 characters']);
  });
});

describe('a URL', () => {
  const INVISIBLE = 'must not contain whitespace, backslashes or invisible characters';
  const NO_URL = 'must be a URL that begins https://; http:// is for loopback addresses only';
  const NO_HOST = 'must name a host, without credentials';

  test('is one that Node can read', () => {
    expect(isUrl('https://caller.example/')).toBe(true);
    expect(isUrl('caller.example')).toBe(false);
  });

  test.each([
    ['returnUrl', 'https://caller.example/', 2_000],
    ['launchOrigin', 'https://', 300],
    ['issuerUrl', 'https://issuer.example/', 500],
  ] as const)('of the rule %s, such as %s…, has at most %i characters', (name, start, most) => {
    expect(faultsOf(RULES[name], start.padEnd(most, 'x'))).toEqual([]);
    expect(faultsOf(RULES[name], start.padEnd(most + 1, 'x'))).toEqual([
      `must be 1 to ${most.toLocaleString('en')} characters`,
    ]);
  });

  test.each<['returnUrl' | 'launchOrigin' | 'issuerUrl', string, string[]]>([
    ['returnUrl', 'https://caller.example/back?from=connect&with=ss', []],
    ['returnUrl', 'http://127.0.0.1:3000/back', []],
    ['returnUrl', 'http://[::1]/back', []],
    ['returnUrl', 'http://app.localhost/back', []],
    ['returnUrl', 'http://caller.example/back', [NO_URL]],
    ['returnUrl', 'http://127.0.0.1.example/back', [NO_URL]],
    ['returnUrl', 'ftp://127.0.0.1/back', [NO_URL, NO_HOST]],
    ['returnUrl', 'nowhere', [NO_URL, NO_HOST]],
    ['returnUrl', 'https://caller.example:65536/', [NO_URL]],
    ['returnUrl', 'http://localhost:65536/', [NO_URL]],
    ['returnUrl', 'https://caller.example/a b', [INVISIBLE]],
    ['returnUrl', 'https://caller.example\\@evil.example/', [INVISIBLE, NO_HOST]],
    ['returnUrl', 'https://me@caller.example/', [NO_HOST]],
    ['returnUrl', 'https:caller.example/', [NO_URL, NO_HOST]],
    ['returnUrl', 'https:///caller.example/', [NO_HOST]],
    ['returnUrl', 'https://caller.example/#top', ['must have no fragment']],
    ['returnUrl', 'https://caller.example/?a=1&ss_state=2', ['must have no query parameter beginning with ss_']],
    ['launchOrigin', 'https://caller.example', []],
    ['launchOrigin', 'https://caller.example:8443', []],
    ['launchOrigin', 'https://caller.example/', ['must be scheme, host and port only, as a browser writes them']],
    ['launchOrigin', 'https://caller.example:443', ['must be scheme, host and port only, as a browser writes them']],
    ['launchOrigin', 'nowhere', [NO_URL, NO_HOST]],
    ['issuerUrl', 'https://issuer.example/tenant', []],
    ['issuerUrl', 'https://issuer.example/?tenant=1', ['must have no query']],
    ['issuerUrl', 'https://issuer.example/#1', ['must have no fragment']],
  ])('of the rule %s: %s', (name, url, faults) => {
    expect(faultsOf(RULES[name], url)).toEqual(faults);
  });

  test('is plain http in development only', () => {
    const check = (deployment: 'development' | 'production', url: string) => () =>
      requireHttpsInProduction(deployment, 'returnUrl', url);
    expect(check('production', 'https://caller.example')).not.toThrow();
    expect(check('development', 'http://localhost')).not.toThrow();
    expect(check('production', 'http://localhost')).toThrow('returnUrl must begin with https:// in production');
  });
});

describe('the branding of an app', () => {
  test.each([
    ['#00aaFF', '#00aaff'],
    ['#00aaf', undefined],
    ['00aaff', undefined],
    ['#00aaff0', undefined],
  ])('has the color %s as %s', (color, stored) => {
    expect(pageColor.safeParse(color).data).toBe(stored);
  });

  test('has a logo that is read from its bytes, or an error about it', () => {
    const image = makePng(40, 20);
    const read = { width: 40, height: 20, image };
    expect(logo.parse(image)).toEqual(read);
    expect(logoInBase64.parse(image.toString('base64'))).toEqual(read);
    expect(faultsOf(logo, Buffer.from('no image'))).toEqual(['must be a PNG image']);
    expect(faultsOf(logoInBase64, 'no base64!')).toEqual(['must be in base64']);
  });
});

test('the permissions of a registration are some that the service asks for, with those that it needs', () => {
  const facts = { permissionsFor: () => ['read', 'list', 'more'], neededPermissions: ['read', 'list'] };
  const check = (given: string[]) => () => requirePermissions('permissions', facts, given);
  expect(check(['list', 'read'])).not.toThrow();
  expect(check(['list', 'read', 'more'])).not.toThrow();
  expect(check(['read', 'more'])).toThrow('permissions must include list');
  expect(check(['read', 'list', 'write'])).toThrow('permissions must be some of read, list, more');
});

test('a daily quota is for a provider that has one', () => {
  const check = (dailyQuota: PlatformQuota | null) => () =>
    requireDailyQuota('dailyQuota', { name: 'PROVIDER_A', dailyQuota });
  expect(check({ units: 1, timeZone: 'UTC' })).not.toThrow();
  expect(check(null)).toThrow('dailyQuota cannot be set: PROVIDER_A has no daily quota');
});
