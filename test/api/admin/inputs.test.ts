import { describe, expect } from 'vitest';
import type { AppId } from '../../../src/basics/ids.ts';
import { leavesOf, OPERATIONS, requestOf } from '../../kit/every-operation.ts';
import { refusalOf, useAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';

const { operator } = useAdmin();
let appId: AppId;
test.beforeEach(async () => {
  appId ??= (await operator.run('createApp', { input: { name: 'Harbour' } })).id;
});

const LEAVES = OPERATIONS.flatMap((operation) => leavesOf(operation).map((leaf) => ({ ...leaf, operation })));
const named = ({ operation, ...leaf }: (typeof LEAVES)[number]) => ({ ...leaf, operation, name: operation.name });

/** The message of the refusal of a value; empty if the value is taken. */
async function faultOf({ operation, ...leaf }: (typeof LEAVES)[number], value: string | number): Promise<string> {
  const { text, variables } = requestOf(operation, leaf.with(value));
  return await operator(text, variables).then(
    () => '',
    ({ message }: Error) => message,
  );
}

describe('a text that Postgres cannot store', () => {
  test.for(LEAVES.filter(({ type }) => type === 'String').map(named))('is refused as $path of $name', async (leaf) => {
    const refusal = await faultOf(leaf, 'a\u0000b');
    // A list of known names refuses it as an unknown one.
    const fault = /eventTypes?$/.test(leaf.path) ? / must be a type of event/ : / must not contain NUL or unpaired/;
    expect(refusal).toMatch(`BAD_USER_INPUT: ${leaf.path}`);
    expect(refusal).toMatch(fault);
  });

  test.for(LEAVES.filter(({ type }) => type === 'ID').map(named))('matches nothing as $path of $name', async (leaf) => {
    const { text, variables } = requestOf(leaf.operation, leaf.with('a\u0000b'));
    const outcome = await operator(text, variables).then(
      () => 'DONE',
      ({ code }: { code: string }) => code,
    );
    expect(['DONE', 'NOT_FOUND', 'BAD_USER_INPUT']).toContain(outcome);
  });
});

describe('a text that is too long', () => {
  test.for(LEAVES.filter(({ type }) => type === 'String').map(named))('is refused as $path of $name', async (leaf) => {
    expect(await faultOf(leaf, 'a'.repeat(40_000))).toMatch(`BAD_USER_INPUT: ${leaf.path}`);
  });
});

const ADDING_URL = 'mutation ($a: ID!, $url: String!) { addReturnUrl(appId: $a, url: $url) { id } }';

describe('a URL', () => {
  const STRANGE = 'must not contain whitespace, backslashes or invisible characters';
  const SCHEME = 'must be a URL that begins https://; http:// is for loopback addresses only';

  test.for([
    ['https://ok.example/cb\nX-Evil: 1', STRANGE],
    ['  https://sp.example/cb ', STRANGE],
    ['https://ok.example/\u202egpj', STRANGE],
    ['https:evil.example', SCHEME],
    ['https://app.example/'.padEnd(2_001, 'x'), 'must be 1 to 2,000 characters'],
    ['http://app.example/', SCHEME],
    ['http://localhost.evil.example/', SCHEME],
    ['javascript:alert(1)', SCHEME],
    ['https://user@app.example/', 'must name a host, without credentials'],
    ['https://app.example/#', 'must have no fragment'],
    ['https://app.example/?ss_x=1', 'must have no query parameter beginning with ss_'],
  ] as const)('%j is refused as a return URL: it %s', async ([url, fault]) => {
    const refusal = await refusalOf(operator(ADDING_URL, { a: appId, url }));
    expect(refusal.message).toBe(`BAD_USER_INPUT: url ${fault}.`);
  });

  test.for([
    'https://app.example/back?to=1',
    'http://127.0.0.1:8080/back',
    'http://[::1]/',
    'http://app.localhost:1/',
    'https://bücher.example',
  ])('%s is accepted', async (url) => {
    expect(await operator(ADDING_URL, { a: appId, url })).toEqual({ addReturnUrl: { id: appId } });
  });

  test.for([
    [' https://idp.example', STRANGE],
    ['https://idp.example?x', 'must have no query'],
    ['https://idp.example/#1', 'must have no fragment'],
    ['http://idp.example', SCHEME],
  ] as const)('%j is refused as an issuer: it %s', async ([issuer, fault]) => {
    const adding = operator('mutation ($i: CreateIdentityIssuerInput!) { createIdentityIssuer(input: $i) { id } }', {
      i: { issuer, clientId: 'client', clientSecret: 'hush-hush-hush' },
    });
    expect((await refusalOf(adding)).message).toBe(`BAD_USER_INPUT: input.issuer ${fault}.`);
  });

  test.for(['https://app.example/', 'https://App.example', 'https://app.example:443', 'https://app.example/a'])(
    '%s is refused as a launch origin',
    async (origin) => {
      const adding = operator('mutation ($a: ID!, $o: String!) { addLaunchOrigin(appId: $a, origin: $o) { id } }', {
        a: appId,
        o: origin,
      });
      const fault = 'must be scheme, host and port only, as a browser writes them';
      expect((await refusalOf(adding)).message).toBe(`BAD_USER_INPUT: origin ${fault}.`);
    },
  );
});

describe('a number', () => {
  test.for(LEAVES.filter(({ type }) => type === 'Int').map(named))('has bounds as $path of $name', async (leaf) => {
    const { min, max } = leaf.range ?? expect.fail('Declare @range in admin.graphql.');
    const fault = `BAD_USER_INPUT: ${leaf.path} must be ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
    for (const value of [min, max]) expect(await faultOf(leaf, value), `${value}`).not.toContain(fault);
    for (const value of [min - 1, max + 1]) expect(await faultOf(leaf, value), `${value}`).toContain(fault);
  });
});

const texts = LEAVES.filter(({ length }) => length !== undefined);
test.for(texts.map(named))('a text with bounds has as many characters as $path of $name says', async (leaf) => {
  const most = leaf.length?.max ?? 0;
  const fault = `BAD_USER_INPUT: ${leaf.path} must be 1 to ${most.toLocaleString('en')} characters`;
  for (const value of ['x', 'x'.repeat(most)]) expect(await faultOf(leaf, value)).not.toContain(fault);
  for (const value of ['', 'x'.repeat(most + 1)]) expect(await faultOf(leaf, value)).toContain(fault);
});

const COLOR = 'must have the form #rrggbb';
const LANGUAGE = 'must be one of en, de, fr, es, pt-BR';
const IMAGE = 'must be in base64';

test.for([
  ...['red', '#fff', '#ffffff80', '#ffffff\n', '#fff;}</style><script>', ''].map((value) => ['color', value, COLOR]),
  ...['pt', 'EN', '"><script>', ''].map((value) => ['language', value, LANGUAGE]),
  ...['', '<svg/>', 'data:image/png;base64,AAAA', 'https://evil.example/a.png'].map((value) => ['image', value, IMAGE]),
] as [string, string, string][])('%s %j is refused', async ([name, value, fault]) => {
  const mutation = name === 'image' ? 'setLogo' : 'setBranding';
  const setting = `mutation ($a: ID!, $v: String!) { ${mutation}(appId: $a, ${name}: $v) { id } }`;
  const refusal = await refusalOf(operator(setting, { a: appId, v: value }));
  expect(refusal.message).toBe(`BAD_USER_INPUT: ${name} ${fault}.`);
});

test.for([
  ['capabilities', `setPolicy(appId: $a, provider: PROVIDER_B, capabilities: [PROFILE, PROFILE]) { id }`],
  [
    'input.eventTypes',
    `createWebhookEndpoint(input: { appId: $a, url: "https://app.example/", eventTypes: ["job.finished", "job.finished"] }) { secret }`,
  ],
] as const)('a list names none twice: %s', async ([name, field]) => {
  const refusal = await refusalOf(operator(`mutation ($a: ID!) { ${field} }`, { a: appId }));
  expect(refusal.message).toBe(`BAD_USER_INPUT: ${name} must not name one twice.`);
});

describe('a name that people read', () => {
  const create = (name: string) =>
    operator('mutation ($i: CreateAppInput!) { createApp(input: $i) { name } }', { i: { name } });

  test.for([
    ['   ', 'must be 1 to 100 characters'],
    ['Harbour\nKitchen', 'must not contain line breaks, control or direction characters'],
    ['Harbour \u202enehctiK', 'must not contain line breaks, control or direction characters'],
    ['\u200b\u2060', 'must contain a visible character'],
  ] as const)('cannot be %j: it %s', async ([name, fault]) => {
    expect((await refusalOf(create(name))).message).toBe(`BAD_USER_INPUT: input.name ${fault}.`);
  });

  test('is stored unchanged except for surrounding whitespace', async () => {
    expect((await create('  مطعم الميناء 🐟 ')).createApp.name).toBe('مطعم الميناء 🐟');
  });
});

test('a secret is refused if it has expired', async () => {
  const clientSecret = 'hush-hush-hush';
  const secretExpiresAt = '2001-01-01T00:00:00Z';
  const registration = { provider: 'PROVIDER_A', label: 'Main', clientId: 'client', clientSecret, secretExpiresAt };
  const create = (input: object) =>
    operator('mutation ($i: CreateRegistrationInput!) { createRegistration(input: $i) { id } }', { i: input });
  expect((await refusalOf(create(registration))).message).toBe(
    'BAD_USER_INPUT: input.secretExpiresAt must be in the future.',
  );
});
