import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/basics/errors.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { OperationDeps } from '../../src/cli/operation.ts';
import { OPERATIONS } from '../../src/cli/operations.ts';

/** The commands refuse these values before any query. */
const NOTHING = {} as OperationDeps;
const PAST = '2001-01-01T00:00:00Z';
const STRANGE_URL = 'must not contain whitespace, backslashes or invisible characters';
const SCHEME = 'must be a URL that begins https://; http:// is for loopback addresses only';

const app = randomUUID();

/** Values that the admin API refuses; its rules have separate tests. */
const REFUSED: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['app create', { name: 'x'.repeat(150) }, '--name must be 1 to 100 characters'],
  ['app create', { name: 'Harbour\nKitchen' }, '--name must not contain line breaks'],
  ['tenant add', { app, key: 'a\0b' }, '--key must not contain NUL'],
  ['return-url add', { app, url: 'https://ok.example/cb\nX-Evil: 1' }, `--url ${STRANGE_URL}`],
  ['launch-origin add', { app, origin: 'https://app.example/' }, '--origin must be scheme, host and port only'],
  [
    'policy set',
    { app, provider: 'PROVIDER_A', capability: ['PROFILE', 'PROFILE'] },
    '--capability must not name one twice',
  ],
  ['policy set', { app, provider: 'PROVIDER_A', 'quota-percent': '101' }, '--quota-percent must be 1 to 100'],
  ['policy set', { app, provider: 'PROVIDER_A', 'quota-percent': 'all' }, '--quota-percent '],
  ['registration quota', { registration: app, units: '0' }, '--units must be 1 to 1,000,000,000'],
  ['registration create', { provider: 'PROVIDER_A', label: ' ', 'client-id': 'c' }, '--label must be 1 to 200'],
  ['issuer create', { issuer: 'not a url', 'client-id': 'c' }, `--issuer ${STRANGE_URL}`],
  ['issuer create', { issuer: 'http://idp.example', 'client-id': 'c' }, `--issuer ${SCHEME}`],
  ['identity set', { app, issuer: app, 'return-url': 'https:evil.example' }, `--return-url ${SCHEME}`],
  ['key issue', { app, expires: PAST }, '--expires must be in the future'],
  ['admin token create', { role: 'VIEWER', expires: PAST }, '--expires must be in the future'],
];

describe('the command line refuses what the admin API refuses', () => {
  test.each(REFUSED)('%s %j', async (name, options, told) => {
    const command = COMMANDS[name] ?? OPERATIONS[name];
    const refusal = await command?.run(options, NOTHING).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ServiceError);
    const { code, message } = refusal as ServiceError;
    expect({ code, message }).toEqual({ code: 'BAD_USER_INPUT', message: expect.stringContaining(told) });
    expect(message.slice(0, told.length)).toBe(told);
  });
});
