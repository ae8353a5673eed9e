import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  ConnectionArgs,
  ConnectionsArgs,
  ContentArgs,
  CreateConnectSessionArgs,
  parseArgs,
  RequestContentLookupArgs,
  RequestRefreshArgs,
} from '../../src/api/inputs.ts';

const scope = { tenantKey: 'quay', externalSubjectId: 'rowan' };
const connectionId = '0190c2a5-7b2e-7cc3-98c4-dc0c0c07398f';
const [publishedAfter, publishedBefore] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-04-01T00:00:00Z')];
const [FAR, EMPTY] = [
  'publishedBefore must be at most 90 days after publishedAfter.',
  'publishedBefore must be after publishedAfter.',
];

/** @returns what is wrong with arguments. */
function faultOf(schema: z.ZodType, args: object): string | undefined {
  try {
    parseArgs(schema, args);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
const lookUp = (url: string) => faultOf(RequestContentLookupArgs, { scope, connectionId, url });
const connect = (returnUrl: string, more: object = {}) =>
  faultOf(CreateConnectSessionArgs, {
    input: { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl, ...more },
  });
const refresh = (args: object) => faultOf(RequestRefreshArgs, { scope, connectionId, ...args });
const read = (args: object) =>
  faultOf(ContentArgs, { scope, connectionId, window: { publishedAfter, publishedBefore, first: 1, ...args } });

describe('an input', () => {
  test('has a scope of two parts, of 1 to 128 characters each', () => {
    for (const name of ['tenantKey', 'externalSubjectId']) {
      const find = (part: string) => faultOf(ConnectionArgs, { scope: { ...scope, [name]: part }, id: connectionId });
      for (const fine of ['x', 'x'.repeat(128)]) expect(find(fine)).toBeUndefined();
      for (const wrong of ['', 'x'.repeat(129)]) expect(find(wrong)).toBe(`scope.${name} must be 1 to 128 characters.`);
    }
  });

  test.each([
    ['1 second', '2026-01-01T00:00:01.000Z', undefined],
    ['1 millisecond', '2026-01-01T00:00:00.001Z', undefined],
    ['nothing', '2026-01-01T00:00:00.000Z', EMPTY],
    ['less than nothing', '2025-12-31T23:59:59.999Z', EMPTY],
    ['90 days', '2026-04-01T00:00:00.000Z', undefined],
    ['more than 90 days', '2026-04-01T00:00:00.001Z', FAR],
  ])('has a window of %s', (_length, end, fault) => {
    const window = { publishedAfter, publishedBefore: new Date(end) };
    expect(read(window)).toBe(fault && `window.${fault}`);
    expect(refresh({ window })).toBe(fault && `window.${fault}`);
  });

  test('asks for at most 50 posts, 100 posts of a scan, or 100 connections', () => {
    const scan = (maxItems: number) => refresh({ window: { publishedAfter, publishedBefore, maxItems } });
    const list = (first: number) => faultOf(ConnectionsArgs, { scope, first });
    for (const fine of [1, 50]) expect(read({ first: fine })).toBeUndefined();
    for (const wrong of [0, 51]) expect(read({ first: wrong })).toBe('window.first must be 1 to 50.');
    for (const fine of [1, 100]) expect([scan(fine), list(fine)]).toEqual([undefined, undefined]);
    for (const wrong of [0, 101])
      expect([scan(wrong), list(wrong)]).toEqual(['window.maxItems must be 1 to 100.', 'first must be 1 to 100.']);
  });

  test('has the default for a number that is omitted or null', () => {
    const window = { publishedAfter, publishedBefore };
    for (const given of [{}, { maxItems: null }]) {
      const args = parseArgs(RequestRefreshArgs, { scope, connectionId, window: { ...window, ...given } });
      expect(args.window).toEqual({ ...window, maxItems: 100 });
    }
    expect(parseArgs(ConnectionsArgs, { scope, first: null })).toEqual({ scope, first: 20, after: null });
  });

  test('names a post, or a window or a cursor', () => {
    const window = { publishedAfter, publishedBefore };
    const fault = 'providerContentId must come without window and continuationCursor.';
    for (const fine of [{}, { providerContentId: 'p' }, { window }, { continuationCursor: 'c' }])
      expect(refresh(fine)).toBeUndefined();
    for (const other of [{ window }, { continuationCursor: 'c' }, { window, continuationCursor: 'c' }])
      expect(refresh({ providerContentId: 'p', ...other })).toBe(fault);
  });

  test('has a return URL that could be registered', () => {
    const start = 'https://caller.example/';
    expect(connect(start.padEnd(2_000, 'x'))).toBeUndefined();
    expect(connect(`${start}${'🐟'.repeat(2_000 - start.length)}`)).toBeUndefined();
    expect(connect(start.padEnd(2_001, '#'))).toBe('input.returnUrl must be at most 2000 characters.');
    expect(connect(`${start}#`)).toBe('input.returnUrl must have no fragment.');
    expect(connect(`${start}?a=1&ss_b=2`)).toBe('input.returnUrl must have no query parameter beginning with ss_.');
    expect(connect('nowhere')).toBeUndefined(); // It is compared with the registered ones.
    expect(connect(start, { capabilities: [] })).toBe('input.capabilities must name at least one.');
  });

  test('has a URL of a post over https', () => {
    const fault = 'url must be an https URL without credentials, port or fragment.';
    const start = 'https://platform.example/';
    expect(lookUp(start.padEnd(2_048, 'x'))).toBeUndefined();
    expect(lookUp(start.padEnd(2_049, '#'))).toBe('url must be at most 2048 characters.');
    for (const wrong of [
      'http://platform.example/',
      'https://me@platform.example/',
      'https://platform.example:443/',
      `${start}#`,
      'https://',
      'https://%/post', // Of the right form, but no URL.
      `${start}post and more text`,
      `<${start}post#\u200b>`,
      '<>',
    ]) {
      expect(lookUp(wrong), wrong).toBe(fault);
    }
    // What an app or a sentence puts around a pasted URL does not belong to it, and counts only towards the length.
    for (const pasted of [
      `<${start}post>`,
      `(${start}post).`,
      ` \ufeff\u00a0${start}po\u200bst\u00ad\n`,
      `„${start}post“,`,
    ])
      expect(RequestContentLookupArgs.parse({ scope, connectionId, url: pasted }).url).toBe(`${start}post`);
    expect(lookUp(`${start.padEnd(2_048, 'x')}\u200b`)).toBe('url must be at most 2048 characters.');
  });
});

test('a text that is too long has no other fault', () => {
  const faults = (schema: z.ZodType, args: object) => schema.safeParse(args).error?.issues.length;
  const url = `https://platform.example/#${'x'.repeat(2_048)}`;
  expect(faults(RequestContentLookupArgs, { scope, connectionId, url })).toBe(1);
  const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: url };
  expect(faults(CreateConnectSessionArgs, { input })).toBe(1);
});
