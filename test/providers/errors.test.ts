import { describe, expect, test } from 'vitest';
import type { ProviderErrorType, ProviderName } from '../../src/basics/codes.ts';
import {
  type Answer,
  access,
  call,
  client,
  code,
  exchange,
  failureOf,
  NOW,
  tokens,
  useAdapters,
} from '../kit/fake-platform.ts';

const adapters = useAdapters();

/** Answers by what an adapter makes of them, some with the wait in seconds that follows. */
type ByMeaning = Partial<
  Record<ProviderErrorType, readonly (Answer | readonly [Answer, waitSeconds: number | undefined])[]>
>;

interface Table {
  /** To a read of the account. */
  readonly read: ByMeaning;
  /** To an exchange: no grant has come to exist. */
  readonly exchange: ByMeaning;
  /** To an exchange: a grant may exist. */
  readonly lostExchange: ByMeaning;
  /** To a refresh. */
  readonly refresh: ByMeaning;
  /** To a revoke, which can be repeated safely. */
  readonly revoke?: ByMeaning;
}

const message = 'SECRETMARK';
const page = (status: number): Answer => ({ status, body: '<html>' });
const empty = (status: number): Answer => ({ status, body: '' });
const oauth = (status: number, error: string): Answer => ({
  status,
  body: { error, error_description: message, log_id: '1' },
});

const google = (status: number, reason?: string, more: object = {}, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  body: { error: { code: status, message, ...(reason && { errors: [{ message, reason }] }), ...more } },
});
const detail = (reason: string) => ({ details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] });

/** A written delay, and the one that the service waits: a day at most. */
const RETRY_AFTER = [
  ['0', 0],
  ['17', 17],
  ['999999999', 86_400],
  ['Sat, 21 Nov 2026 12:02:00 GMT', 120],
  ['Mon, 21 Nov 2055 12:00:00 GMT', 86_400],
  ['-5', undefined],
  ['later', undefined],
] as const;

const OAUTH_OF_A: Pick<Table, 'exchange' | 'lostExchange'> = {
  exchange: {
    GrantDead: [oauth(400, 'invalid_grant')],
    ClientRejected: ['invalid_client', 'unauthorized_client', 'redirect_uri_mismatch'].map((one) => oauth(400, one)),
    ContractBroken: ['invalid_scope', 'unsupported_grant_type', 'invalid_request'].map((one) => oauth(400, one)),
    RetryLater: [oauth(503, 'temporarily_unavailable')],
    PlatformLimit: [empty(429), oauth(429, 'temporarily_unavailable')],
  },
  lostExchange: {
    RetryLater: [oauth(400, 'something_new'), page(500), page(200)],
    ContractBroken: [{ status: 200, body: { token_type: 'Bearer' } }],
  },
};

const PROVIDER_A: Table = {
  ...OAUTH_OF_A,
  read: {
    QuotaSpent: [
      // 12:00 UTC is 04:00 in Los Angeles.
      [google(403, 'quotaExceeded', detail('RATE_LIMIT_EXCEEDED')), 20 * 3600],
      [google(403, 'dailyLimitExceeded'), 20 * 3600],
    ],
    PlatformLimit: [
      google(403, 'rateLimitExceeded'),
      google(429, 'userRateLimitExceeded'),
      google(403, undefined, detail('RATE_LIMIT_EXCEEDED')),
      google(429, undefined, { status: 'RESOURCE_EXHAUSTED' }),
      ...RETRY_AFTER.map(
        ([written, seconds]) => [google(429, 'rateLimitExceeded', {}, { 'retry-after': written }), seconds] as const,
      ),
    ],
    RetryLater: [
      google(503, 'backendError'),
      google(500, 'internalError'),
      google(502),
      google(403, 'somethingNew'),
      ...[502, 401, 200].map(page),
      empty(200),
    ],
    TokenStale: [google(401, undefined, { status: 'UNAUTHENTICATED' })],
    GrantDead: ['authenticatedUserAccountClosed', 'authenticatedUserAccountSuspended'].map((one) => google(403, one)),
    PermissionMissing: [
      google(403, undefined, detail('ACCESS_TOKEN_SCOPE_INSUFFICIENT')),
      google(403, 'forbidden', {}, { 'www-authenticate': 'Bearer error="insufficient_scope"' }),
    ],
    AccountUnusable: [google(403, 'authenticatedUserNotChannel')],
    NotFound: [
      ...['videoNotFound', 'playlistNotFound', 'channelNotFound'].map((one) => google(404, one)),
      ...['playlistItemsNotAccessible', 'channelClosed', 'channelSuspended'].map((one) => google(403, one)),
      google(404),
    ],
    ContractBroken: [
      google(400, 'badRequest'),
      google(403, 'invalidPageToken'),
      google(400),
      { status: 200, body: { hello: 'world' } },
      { status: 200, body: { kind: 'k', items: [{ id: 7 }] } },
    ],
  },
  refresh: OAUTH_OF_A.exchange,
  revoke: {
    RetryLater: [page(503), oauth(400, 'something_new'), empty(404)],
    PlatformLimit: [empty(429)],
  },
};

const tiktok = (status: number, errorCode: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  body: { data: {}, error: { code: errorCode, message, log_id: '20261121101503' } },
});
const resetsAt = (reset: string) => tiktok(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': reset });

const OAUTH_OF_B: Pick<Table, 'exchange' | 'lostExchange'> = {
  exchange: {
    GrantDead: [oauth(200, 'invalid_grant'), oauth(400, 'invalid_grant')],
    ClientRejected: [oauth(200, 'invalid_client'), oauth(200, 'unauthorized_client')],
    ContractBroken: [
      ...['access_denied', 'invalid_request', 'invalid_scope', 'unsupported_grant_type', 'unsupported_response_type'],
    ].map((one) => oauth(200, one)),
    RetryLater: [oauth(200, 'server_error'), oauth(503, 'temporarily_unavailable')],
    PlatformLimit: [oauth(200, 'rate_limit_exceeded'), empty(429), oauth(429, 'server_error')],
  },
  lostExchange: {
    RetryLater: [oauth(200, 'something_new'), page(500), page(200)],
    ContractBroken: [{ status: 200, body: { token_type: 'Bearer' } }],
  },
};

const PROVIDER_B: Table = {
  ...OAUTH_OF_B,
  read: {
    PlatformLimit: [
      [tiktok(200, 'rate_limit_exceeded'), 60],
      [page(429), 60],
      [tiktok(429, 'rate_limit_exceeded', { 'retry-after': '7' }), 7],
      [resetsAt('31'), 31],
      [resetsAt(String(NOW.getTime() / 1000 + 42)), 42],
      [resetsAt('1700000000'), 1],
      [resetsAt('0'), 60],
      [resetsAt('soon'), 60],
      [resetsAt('99999999999999999999'), 86_400],
    ],
    RetryLater: [tiktok(200, 'internal_error'), tiktok(401, 'something_new'), ...[503, 401, 200].map(page)],
    PermissionMissing: [tiktok(401, 'scope_not_authorized')],
    ContractBroken: [
      tiktok(400, 'invalid_file_upload'),
      { status: 200, body: { data: { user: {} } } },
      { status: 200, body: {} },
    ],
  },
  refresh: OAUTH_OF_B.exchange,
  revoke: {
    RetryLater: [oauth(200, 'temporarily_unavailable'), oauth(200, 'server_error'), page(502)],
    PlatformLimit: [empty(429)],
  },
};

const graph = (status: number, errorCode: number, more: object = {}, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  body: { error: { message, type: 'OAuthException', code: errorCode, fbtrace_id: 'A', ...more } },
});
const usage = (text: string) => graph(400, 80002, {}, { 'x-business-use-case-usage': text });
const regainedIn = (...minutes: number[]) =>
  usage(JSON.stringify({ 1: minutes.map((one) => ({ call_count: 96, estimated_time_to_regain_access: one })) }));
/** The endpoint of the short-lived token has a form of its own. */
const shortLived = (errorCode: number, error_message: string, status = 400): Answer => ({
  status,
  body: { error_type: 'OAuthException', code: errorCode, error_message },
});
const REDIRECT_URI =
  'Error validating verification code. Please make sure your redirect_uri is identical to the one you used';

const PROVIDER_C: Table = {
  read: {
    PlatformLimit: [
      ...[4, 17, 32, 613].map((one) => [graph(400, one), 3600] as const),
      graph(429, 999),
      graph(429, 190),
      [regainedIn(7), 420],
      [regainedIn(3, 11), 660],
      [regainedIn(0), 3600],
      [regainedIn(99_999_999), 86_400],
      [usage('{'), 3600],
    ],
    RetryLater: [
      graph(500, 1),
      graph(400, 2),
      graph(400, 100, { is_transient: true }),
      ...[199, 300, 999].map((one) => graph(400, one)),
      graph(403, 200), // It names no permission.
      graph(400, 999, { error_subcode: 33 }),
      ...[502, 400, 200].map(page),
    ],
    GrantDead: [
      ...[458, 467].map((one) => graph(400, 190, { error_subcode: one })),
      graph(400, 102),
      graph(400, 999, { message: 'The session has been invalidated.' }),
    ],
    AccountUnusable: [graph(400, 999, { message: 'The user is no longer a business account' })],
    PermissionMissing: [graph(400, 10), graph(403, 299, { message: 'It lacks a permission.' })],
    ClientRejected: [graph(400, 3)],
    NotFound: [graph(400, 24), graph(400, 25), graph(404, 803)],
    ContractBroken: [graph(400, 100), { status: 200, body: { hello: 'world' } }],
  },
  exchange: {
    GrantDead: [shortLived(400, 'Matching code was not found or was already used'), shortLived(499, 'Oops')],
    ClientRejected: ['Error validating client secret.', 'Invalid platform app', REDIRECT_URI].map((one) =>
      shortLived(400, one),
    ),
    PlatformLimit: [shortLived(429, 'Slow down', 429), shortLived(429, 'Slow down'), empty(429), graph(400, 4)],
    RetryLater: [shortLived(500, 'Oops'), shortLived(500, 'Oops', 500)],
  },
  lostExchange: {
    RetryLater: [page(500), page(200)],
    ContractBroken: [{ status: 200, body: { access_token: 'x' } }],
  },
  refresh: {
    GrantDead: [graph(400, 190, { error_subcode: 463 })],
    PermissionMissing: [graph(400, 10)],
    RetryLater: [graph(500, 2)],
  },
};

const TABLES: Readonly<Record<ProviderName, Table>> = { PROVIDER_A, PROVIDER_B, PROVIDER_C };

/** The rows of a table: a title, the answer, its meaning, and the wait. */
const rowsOf = (byMeaning: ByMeaning) =>
  (Object.entries(byMeaning) as [ProviderErrorType, NonNullable<ByMeaning[ProviderErrorType]>][]).flatMap(
    ([type, answers]) =>
      answers.map((one) => {
        const [answer, waitSeconds] = Array.isArray(one)
          ? (one as [Answer, number | undefined])
          : [one as Answer, undefined];
        return { title: JSON.stringify(answer).slice(0, 120), answer, type, waitSeconds };
      }),
  );

describe.each(Object.keys(TABLES) as ProviderName[])('an answer of %s', (name) => {
  const table = TABLES[name];
  const exchangeCode = () =>
    adapters.providers[name].exchangeCode(
      client,
      name === 'PROVIDER_C' ? { ...code, codeVerifier: null } : exchange,
      call(),
    );

  test.each(rowsOf(table.read))('to a read means $type: $title', async ({ answer, type, waitSeconds }) => {
    adapters.platform.script(answer);
    const granted = access(name === 'PROVIDER_B' ? ['user.info.basic'] : []);
    const error = await failureOf(adapters.providers[name].readAccount(granted, call()));
    expect(error).toMatchObject({ type, status: answer.status, outcomeUnknown: false });
    expect(error.retryAfterSeconds).toBe(waitSeconds);
  });

  test.each([
    ...rowsOf(table.exchange).map((row) => ({ ...row, mayExist: false })),
    ...rowsOf(table.lostExchange).map((row) => ({ ...row, mayExist: true })),
  ])(
    'to an exchange means $type, and that a grant may exist: $mayExist: $title',
    async ({ answer, type, mayExist }) => {
      adapters.platform.script(answer);
      expect(await failureOf(exchangeCode())).toMatchObject({ type, status: answer.status, outcomeUnknown: mayExist });
      expect(adapters.platform.seen).toHaveLength(1);
    },
  );

  test.each(rowsOf({ ...table.refresh }))('to a refresh means $type: $title', async ({ answer, type }) => {
    adapters.platform.script(answer);
    const refreshing = adapters.providers[name].refresh(client, tokens(), call());
    expect(await failureOf(refreshing)).toMatchObject({ type, outcomeUnknown: false });
  });

  const revokes = rowsOf({ ...table.revoke });
  test.skipIf(revokes.length === 0).each(revokes)('to a revoke means $type: $title', async ({ answer, type }) => {
    adapters.platform.script(answer);
    const revoking = adapters.providers[name].revoke(client, tokens(), call());
    expect(await failureOf(revoking)).toMatchObject({ type, status: answer.status, outcomeUnknown: false });
  });
});

// A refresh at PROVIDER_A spends nothing, so its outcome is never unknown; one at PROVIDER_B rotates the token.
test.each([
  ['PROVIDER_A', false],
  ['PROVIDER_B', true],
] as const)('an unknown answer to a refresh of %s may have spent the token: %s', async (name, outcomeUnknown) => {
  for (const { answer, type } of rowsOf(TABLES[name].lostExchange)) {
    adapters.platform.script(answer);
    const refreshing = adapters.providers[name].refresh(client, tokens(), call());
    expect(await failureOf(refreshing)).toMatchObject({ type, outcomeUnknown });
  }
});

test.each([
  ['a refresh', 'PROVIDER_A', false],
  ['a refresh', 'PROVIDER_B', true],
  ['a refresh', 'PROVIDER_C', false],
  ['a revoke', 'PROVIDER_A', false],
  ['a revoke', 'PROVIDER_B', false],
] as const)('a lost answer to %s at %s leaves its effect unknown: %s', async (what, name, outcomeUnknown) => {
  adapters.platform.script((_request, response) => {
    response.destroy();
    return undefined;
  });
  const { refresh, revoke } = adapters.providers[name];
  const accessExpiresAt = new Date(NOW.getTime() + 30 * 86_400_000); // PROVIDER_C refreshes no younger token.
  const held = tokens(name === 'PROVIDER_C' ? { refreshToken: null, accessExpiresAt } : {});
  const sent = (what === 'a refresh' ? refresh : revoke)(client, held, call()) as Promise<unknown>;
  expect(await failureOf(sent)).toMatchObject({ type: 'RetryLater', outcomeUnknown });
});
