import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAdapters } from '../../src/providers/adapters.ts';
import { scrubText } from '../../src/providers/scrub-text.ts';
import type { UnexpectedAnswer } from '../../src/providers/unexpected-answers.ts';
import { access, call, client, exchange, MARK, NOW, openAdapters, tokens } from '../kit/fake-platform.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
let providers: ReturnType<typeof createAdapters>;
const reported: (UnexpectedAnswer & { provider: string; madeOfIt: string })[] = [];
beforeAll(async () => {
  adapters = await openAdapters();
  const { config, http } = adapters;
  providers = createAdapters(
    config,
    http,
    () => NOW,
    (provider, answer, madeOfIt) => reported.push({ provider, ...answer, madeOfIt }),
  );
});
beforeEach(() => void reported.splice(0));
afterAll(async () => await adapters.close());

const ignore = () => undefined;
const readC = () => providers.PROVIDER_C.readAccount(access([]), call()).catch(ignore);
const readB = () => providers.PROVIDER_B.readAccount(access(['user.info.basic']), call()).catch(ignore);
const readA = () => providers.PROVIDER_A.readAccount(access([]), call()).catch(ignore);

describe('an answer that no adapter knows is reported', () => {
  test('an unknown code of an API, with its effect in the service', async () => {
    const error = { message: 'Your wishes are not available in region 12345', type: 'OAuthException', code: 4242 };
    adapters.platform.script({ status: 400, body: { error } });
    await readC();
    expect(reported).toEqual([
      {
        provider: 'PROVIDER_C',
        where: 'PROVIDER_C own account',
        status: 400,
        code: '4242',
        text: 'Your wishes are not available in region #',
        madeOfIt: 'RetryLater',
      },
    ]);
  });

  test('an unknown code of an OAuth endpoint', async () => {
    adapters.platform.script({
      status: 403,
      body: { error: 'tomorrow_only', error_description: 'Come back tomorrow' },
    });
    await providers.PROVIDER_A.refresh(client, tokens(), call()).catch(ignore);
    await providers.PROVIDER_B.exchangeCode(client, exchange, call()).catch(ignore);
    expect(reported.map(({ provider, code, text }) => [provider, code, text])).toEqual([
      ['PROVIDER_A', 'tomorrow_only', '… back tomorrow'],
      ['PROVIDER_B', 'tomorrow_only', '… back tomorrow'],
    ]);
  });

  test('a success of another shape, by the names of its fields', async () => {
    adapters.platform.script({
      body: { data: { user: { open_id: '', display_name: 'Rowan' } }, error: { code: 'ok' } },
    });
    await readB();
    adapters.platform.script({ body: { kind: 'x', items: [{ id: '1' }] } });
    await readA();
    expect(reported.map(({ text }) => text)).toEqual([
      'Not as expected: data.user.open_id (invalid_format)',
      'Not as expected: items.#.snippet (invalid_type)',
    ]);
  });
});

test('an answer that the adapters know is not reported, and no outage', async () => {
  for (const answer of [
    { status: 503, body: '<html>' },
    { status: 429, body: '' },
    { status: 500, body: { error: { code: 999, message: 'Oops' } } },
    { status: 400, body: { error: { code: 190, message: 'Session has expired' } } },
    { status: 400, body: { error: { code: 10, message: '(#10) Application does not have permission' } } },
  ]) {
    adapters.platform.script(answer);
    await readC();
  }
  adapters.platform.script({ status: 400, body: { error: 'invalid_grant', error_description: 'Bad Request' } });
  await providers.PROVIDER_A.refresh(client, tokens(), call()).catch(ignore);
  expect(reported).toEqual([]);
});

test('a report contains no secret of the request', async () => {
  const echo = { code: 4242, message: `Bad token ${MARK}-access of account-1, code ${MARK}-code` };
  adapters.platform.script({ status: 400, body: { error: echo, error_description: echo.message } });
  await readC();
  expect(reported).toHaveLength(1);
  expect(JSON.stringify(reported)).not.toMatch(/SECRETMARK|account-1/);
});

test.each([
  ['User Rowan Vale has no channel', 'User … has no channel'],
  ["Object with ID '17841400123456789' does not exist", "Object with ID '#' does not exist"],
  ['Please see https://developers.example/x?token=abc for more', 'Please see … for more'],
  ['Write to rowan@example.org or @rowan', '… to … or …'],
  ['Invalid token ya29.a0Ab-cdEF_gh', 'Invalid token …'],
  [
    'Requires instagram_business_basic permission, PERMISSION_DENIED',
    'Requires instagram_business_basic permission, PERMISSION_DENIED',
  ],
  ['bad\nrequest\u0000and\u202Eerror', 'bad request and error'],
  ['Cannot find user with username: bluebottle', 'Cannot find user with username: …'],
])('scrubbed text of %j is %j', (text, scrubbed) => {
  expect(scrubText(text)).toBe(scrubbed);
});
