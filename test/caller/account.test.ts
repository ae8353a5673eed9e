import { describe, expect, test, vi } from 'vitest';
import { type FakeService, refusal } from './fake-service.ts';
import { openStudio, ROWAN } from './visitor.ts';

const CONNECTION = 'c0ffee00-0000-4000-8000-000000000001';
const OTHER = 'c0ffee00-0000-4000-8000-000000000002';
const PAGE = `/connections/${CONNECTION}`;
const NOW = new Date().toISOString();

const account = (changes: object = {}) => ({
  id: CONNECTION,
  provider: 'PROVIDER_B',
  status: 'CONNECTED',
  syncStatus: 'READY',
  providerAccountId: 'open-id-1',
  lastSuccessfulSyncAt: NOW,
  nextRetryAt: null,
  capabilities: ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'].map((capability) => ({
    capability,
    availability: 'AVAILABLE',
    reason: null,
  })),
  profile: { displayName: 'Harbour Kitchen', handle: 'harbour', avatarUrl: null, profileUrl: null, description: null },
  ...changes,
});

const post = (id: string, views: string | null, changes: object = {}) => ({
  providerContentId: id,
  provider: 'PROVIDER_B',
  kind: 'VIDEO',
  canonicalUrl: `https://provider-b.example/${id}`,
  thumbnailUrl: null,
  title: `Post ${id}`,
  description: null,
  publishedAt: NOW,
  availability: 'AVAILABLE',
  reason: null,
  observedAt: NOW,
  metrics: [
    {
      name: 'VIEWS',
      value: views,
      availability: views === null ? 'UNAVAILABLE' : 'AVAILABLE',
      observedAt: NOW,
      reason: views === null ? 'HIDDEN_BY_OWNER' : null,
    },
  ],
  ...changes,
});

const page = (items: readonly object[], pageInfo: object = {}) => ({
  items,
  pageInfo: { endCursor: null, hasNextPage: false, completeForWindow: true, incompleteReason: null, ...pageInfo },
});

const job = (changes: object) => ({
  id: 'job-1',
  nextRetryAt: null,
  errorCode: null,
  creatorAction: null,
  resultProviderContentId: null,
  completeForWindow: null,
  incompleteReason: null,
  continuationCursor: null,
  ...changes,
});

async function openAccount(changes: object = {}, variables: Readonly<Record<string, string>> = {}) {
  const { service, visitor } = openStudio(variables);
  const rowan = visitor();
  await rowan.signIn(ROWAN);
  service.answers.connection = () => account(changes);
  service.answers.content = () => page([post('1', '1200'), post('2', null)]);
  service.answers.requestRefresh = () => ({ id: 'job-1', status: 'QUEUED' });
  return { service, rowan };
}

const numberPosts = (from: number, count: number) => range(from, count).map((id) => post(id, '100'));
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => String(from + index));
const titlesOf = (html: string) => [...html.matchAll(/<h3[^>]*><a [^>]*>Post ([^<]*)</g)].map(([, id]) => id);
const linkOf = (html: string, rel: 'next' | 'prev') =>
  new RegExp(`href="([^"]+)" rel="${rel}"`).exec(html)?.[1]?.replaceAll('&amp;', '&');
const windowsOf = (service: FakeService) =>
  service.callsOf('content').map(({ args }) => (args as { window: Record<string, string> }).window);

const argsOf = (service: FakeService, field: string) => service.callsOf(field).at(-1)?.args;

describe('the page of an account', () => {
  test('reads the chosen window up to the last read, and the same window for its older posts', async () => {
    const { service, rowan } = await openAccount();
    service.answers.content = ({ window }: { window: { after?: string } }) =>
      window.after === undefined
        ? page(numberPosts(0, 50), { hasNextPage: true, endCursor: 'next' })
        : page(numberPosts(50, 7));
    const first = await rowan.get(`${PAGE}?days=7&metric=VIEWS`);
    const [asked, following] = windowsOf(service);
    expect(asked).toMatchObject({ publishedBefore: NOW, first: 50 });
    // The seven-day scan covers all of it, even if the clock that set its window was slightly ahead.
    expect(Date.parse(NOW) - Date.parse(asked?.publishedAfter ?? '')).toBe(7 * 86_400_000 - 5 * 60_000);
    expect(following).toEqual({ ...asked, after: 'next' });
    expect(titlesOf(first.text)).toEqual(range(0, 12));
    // The totals are those of the window: 57 posts with 100 views each.
    expect(first.text).toContain('Totals of 57 posts of the last 7 days.');
    expect(first.text).toContain('<span>Views</span><strong>5.7K</strong>');

    service.answers.connection = () => account({ lastSuccessfulSyncAt: new Date(Date.now() + 1).toISOString() });
    const second = await rowan.get(`${PAGE}${linkOf(first.text, 'next')}`);
    expect(windowsOf(service).at(-2)).toEqual(asked);
    expect(titlesOf(second.text)).toEqual(range(12, 12));
    expect(second.text).toContain('<strong>5.7K</strong>');
    expect(linkOf(second.text, 'next')).toContain('metric=VIEWS');
    const newer = await rowan.get(`${PAGE}${linkOf(second.text, 'prev')}`);
    expect(titlesOf(newer.text)).toEqual(range(0, 12));
    const last = await rowan.get(`${PAGE}?days=7&until=${NOW}&page=999`);
    expect(titlesOf(last.text)).toEqual(range(48, 9));
    expect(linkOf(last.text, 'next')).toBeUndefined();
  });

  test.each([
    ['PROVIDER_A', {}, false],
    ['PROVIDER_A', { YOUTUBE_DERIVED_METRICS: 'accepted' }, true],
    ['PROVIDER_B', {}, true],
  ] as const)('adds up the counts of %s with %j: %s', async (provider, variables, hasTotals) => {
    const { service, rowan } = await openAccount({ provider }, variables);
    service.answers.content = () => page([post('1', '1200', { provider }), post('2', '34', { provider })]);
    const { text } = await rowan.get(PAGE);
    expect(text.includes('Totals of 2 posts')).toBe(hasTotals);
    expect(text.includes('class="chart"')).toBe(hasTotals);
    expect(text).toContain('1.2K'); // Each post's own count, beside the platform's name.
    expect(text.match(new RegExp(`class="mark ${provider}"`, 'g'))?.length).toBeGreaterThanOrEqual(3);
  });

  test('reads at most 300 posts of a window, says so, and leads to those before them', async () => {
    const { service, rowan } = await openAccount();
    const oldest = new Date(Date.parse(NOW) - 3 * 86_400_000).toISOString();
    service.answers.content = () =>
      page([...numberPosts(0, 49), post('49', '100', { publishedAt: oldest })], {
        hasNextPage: true,
        endCursor: 'next',
      });
    const { text } = await rowan.get(`${PAGE}?days=30`);
    expect(windowsOf(service)).toHaveLength(6);
    expect(text).toContain('Totals of the newest 300 posts of the last 30 days.');
    const end = await rowan.get(`${PAGE}?days=30&until=${NOW}&page=24`);
    await rowan.get(`${PAGE}${linkOf(end.text, 'next')}`);
    expect(windowsOf(service).at(-1)?.publishedBefore).toBe(oldest);
  });

  test('opens on what the service reads of a new account by itself, then on the last requested scan', async () => {
    const { service, rowan } = await openAccount();
    const daysOf = () => {
      const { publishedAfter = '', publishedBefore = '' } = windowsOf(service).at(-1) ?? {};
      return Math.round((Date.parse(publishedBefore) - Date.parse(publishedAfter)) / 86_400_000);
    };
    await rowan.get(PAGE);
    expect(daysOf()).toBe(7);
    await rowan.post(`${PAGE}/refresh`, { days: '90' });
    service.answers.syncJob = () => job({ status: 'SUCCEEDED', completeForWindow: true });
    await rowan.get(PAGE);
    expect(daysOf()).toBe(90);
  });

  test('has a bar for each day, which leads to its posts', async () => {
    const until = '2026-03-10T12:00:00.000Z';
    const { service, rowan } = await openAccount({ lastSuccessfulSyncAt: until });
    const at = (publishedAt: string) => ({ publishedAt });
    service.answers.content = () =>
      page([
        post('late', '7', at('2026-03-10T11:59:59.000Z')),
        post('noon', '1200', at('2026-03-05T12:00:00.000Z')),
        post('dawn', '34', at('2026-03-05T00:00:00.000Z')),
        post('hidden', null, at('2026-03-04T23:59:59.000Z')),
      ]);
    const { text } = await rowan.get(PAGE);
    const bars = [...text.matchAll(/<a href="([^"]+)#list" aria-label="([^"]+)"/g)].map(([, , label]) => label);
    expect(bars).toEqual([
      '4 Mar: views not available, 1 post',
      '5 Mar: 1,234 views, 2 posts',
      '10 Mar: 7 views, 1 post',
    ]);
    // The axis goes from the first day of the period to its last, also where nothing was published.
    const axis = [
      ...(/<p class="axis" aria-hidden="true">(.*?)<\/p>/.exec(text)?.[1]?.matchAll(/<span>(.*?)<\/span>/g) ?? []),
    ];
    expect(axis.map(([, day]) => day)).toEqual(['3 Mar', '5 Mar', '8 Mar', '10 Mar']);
    const bar = /<a href="([^"]+)#list" aria-label="5 Mar/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    const chosen = await rowan.get(`${PAGE}${bar}`);
    expect(titlesOf(chosen.text)).toEqual(['noon', 'dawn']);
    expect(chosen.text).toContain('2 posts of 5 Mar');
    expect(chosen.text).toContain('Totals of 4 posts');
  });

  test('refreshes up to now, also from an older page', async () => {
    const { service, rowan } = await openAccount();
    const before = Date.now();
    await rowan.post(`${PAGE}/refresh`, { days: '90', until: '2020-01-01T00:00:00.000Z', after: 'next' });
    const { window } = argsOf(service, 'requestRefresh') as { window: Record<string, string> };
    const end = Date.parse(window.publishedBefore ?? '');
    expect(end).toBeGreaterThanOrEqual(before);
    expect(end - Date.parse(window.publishedAfter ?? '')).toBe(90 * 86_400_000);
  });

  test('shows a missing count differently from zero', async () => {
    const { rowan } = await openAccount();
    const { text } = await rowan.get(PAGE);
    expect(text).toContain('1.2K');
    expect(text).toContain('Hidden in the settings of the account or post.');
    expect(text).toContain('Views: not available for 1.');
  });

  test('escapes provider data and links only to http and https URLs', async () => {
    const { service, rowan } = await openAccount({
      profile: {
        displayName: '<script>alert(1)</script>',
        handle: 'x',
        avatarUrl: null,
        profileUrl: 'javascript:alert(1)',
        description: '"><img src=x onerror=alert(1)>',
      },
    });
    service.answers.contentItem = () => post('1', '5', { canonicalUrl: 'javascript:alert(1)', title: '<b>bold</b>' });
    const { text } = await rowan.get(PAGE);
    const one = await rowan.get(`${PAGE}/posts/1`);
    for (const html of [text, one.text]) {
      expect(html).not.toMatch(/<script>alert|<img src=x|<b>bold|href="javascript:/);
    }
  });

  test('requests no posts of an account that does not allow it', async () => {
    const { service, rowan } = await openAccount({ status: 'SUSPENDED' });
    expect((await rowan.get(PAGE)).text).toContain('On hold');
    expect(service.callsOf('content')).toEqual([]);
  });

  test('lists the permissions that the person has not granted, and offers to grant them', async () => {
    const granted = [{ capability: 'PROFILE', availability: 'AVAILABLE', reason: null }];
    const { service, rowan } = await openAccount({ capabilities: granted });
    const { text } = await rowan.get(PAGE);
    for (const name of ['Posts', 'Look up a post by URL', 'Metrics']) {
      expect(text).toContain(`<span>${name}</span><span class="pill bad">Not granted</span>`);
    }
    expect(text).toContain(`<a href="/connect/b?reconnect=${CONNECTION}">Grant missing permissions</a>`);
    // What the missing permission would show says so in its place.
    expect(text).toContain('<strong>Posts: not allowed.</strong>');
    const noMetrics = account().capabilities.map((state) =>
      state.capability === 'CONTENT_METRICS'
        ? { ...state, availability: 'NOT_GRANTED', reason: 'PERMISSION_WITHDRAWN' }
        : state,
    );
    service.answers.connection = () => account({ capabilities: noMetrics });
    const withdrawn = await rowan.get(PAGE);
    expect(withdrawn.text).toContain('<strong>Metrics: not allowed.</strong>');
    expect(withdrawn.text).toContain('Reconnect to allow it</a>');
    expect(withdrawn.text).toContain('Grant missing permissions</a>');
    service.answers.connection = () => account();
    expect((await rowan.get(PAGE)).text).not.toMatch(/Not granted|Grant missing permissions|not allowed/);
  });

  test('offers to reconnect and to disconnect after the permission has ended', async () => {
    const { service, rowan } = await openAccount();
    await rowan.get(PAGE);
    service.answers.connection = () => {
      throw refusal('RECONNECT_REQUIRED');
    };
    const { status, text } = await rowan.get(PAGE);
    expect(status).toBe(409);
    expect(text).toContain(`href="/connect/b?reconnect=${CONNECTION}"`);
    expect(text).toContain(`href="${PAGE}/disconnect"`);
  });
});

describe('an account that needs a reconnect', () => {
  test('keeps the name under which it was last read, and no other account’s', async () => {
    const { service, rowan } = await openAccount();
    await rowan.get(PAGE);
    const ended = (id: string) => account({ id, status: 'RECONNECT_REQUIRED', profile: null });
    service.answers.connection = ({ id }: { id: string }) => ended(id);
    service.answers.connections = () => ({
      items: [ended(CONNECTION), ended(OTHER)],
      pageInfo: { endCursor: null, hasNextPage: false },
    });
    const { text } = await rowan.get(PAGE);
    expect(text).toContain('<h1><bdi>Harbour Kitchen</bdi></h1>');
    expect(text).not.toContain('Look up a post by URL');
    expect(text.match(/class="callout bad"/g)).toHaveLength(1);
    const home = (await rowan.get('/')).text;
    expect(home.match(/<strong><bdi>Harbour Kitchen<\/bdi>/g)).toHaveLength(1);
    expect(home).toContain('Account at TikTok');
    const form = (await rowan.get(`/connect/b?reconnect=${CONNECTION}`)).text;
    expect(form).toMatch(/At TikTok, choose the account\s+<strong><bdi>Harbour Kitchen<\/bdi><\/strong>/);
    expect((await rowan.get('/connect/b')).text).not.toContain('Harbour Kitchen');
  });
});

describe('the list of accounts', () => {
  test('shows the other accounts when one fails its check', async () => {
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    service.answers.connections = () => ({
      items: [account(), account({ id: OTHER, profile: null })],
      pageInfo: { endCursor: null, hasNextPage: false },
    });
    await rowan.get('/');
    service.answers.connections = () => {
      throw refusal('RECONNECT_REQUIRED');
    };
    service.answers.connection = ({ id }: { id: string }) => {
      if (id === OTHER) throw refusal('RECONNECT_REQUIRED');
      return account();
    };
    const { text } = await rowan.get('/');
    expect(text).toContain('Harbour Kitchen');
    expect(text).toContain('Reconnect this account');
  });

  test('says beside each provider which accounts are connected, and offers another one', async () => {
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    const named = (displayName: string) => ({ profile: { ...account().profile, displayName } });
    const names = async (...items: object[]) => {
      service.answers.connections = () => ({ items, pageInfo: { endCursor: null, hasNextPage: false } });
      const [, providers = ''] = /<connect-accounts[^>]* providers="([^"]*)"/.exec((await rowan.get('/')).text) ?? [];
      return JSON.parse(providers.replaceAll('&quot;', '"'));
    };
    const [a, c] = [
      { provider: 'PROVIDER_A', name: 'YouTube', state: 'READY' },
      { provider: 'PROVIDER_C', name: 'Instagram', state: 'READY' },
    ];
    const b = { provider: 'PROVIDER_B', name: 'TikTok' };
    expect(await names()).toEqual([a, { ...b, state: 'READY' }, c]);
    expect(await names(account(), account({ id: OTHER, ...named('Noor') }))).toEqual([
      a,
      { ...b, state: 'CONNECTED', account: 'Harbour Kitchen, Noor', canAddAccount: true },
      c,
    ]);
    const ended = account({ id: OTHER, status: 'RECONNECT_REQUIRED', ...named('Noor') });
    expect(await names(account({ status: 'DISCONNECTED' }), ended)).toEqual([
      { ...b, state: 'RECONNECT_REQUIRED', connectionId: OTHER, account: 'Noor' },
      a,
      { ...b, state: 'READY' },
      c,
    ]);
    service.answers.integrationReadiness = () => ({ providers: [], idpIdentityAvailable: true });
    expect((await names(account()))[1]).toEqual({
      ...b,
      state: 'CONNECTED',
      account: 'Harbour Kitchen',
      canAddAccount: false,
    });
  });

  test('does not call the list empty when the service fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    service.answers.connections = () => {
      throw refusal('UPSTREAM_UNAVAILABLE');
    };
    expect((await rowan.get('/')).text).not.toContain('You have no accounts yet');
  });

  test('reads all pages', async () => {
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    service.answers.connections = ({ after }: { after?: string }) =>
      after === undefined
        ? { items: [account()], pageInfo: { endCursor: 'more', hasNextPage: true } }
        : { items: [account({ id: OTHER })], pageInfo: { endCursor: null, hasNextPage: false } };
    const { text } = await rowan.get('/');
    expect(text).toContain(`href="${PAGE}"`);
    expect(text).toContain(`href="/connections/${OTHER}"`);
  });
});

describe('a refresh', () => {
  test('is followed until it has ended', async () => {
    const { service, rowan } = await openAccount();
    await rowan.get(PAGE);
    await rowan.post(`${PAGE}/refresh`, { days: '90' });
    expect(argsOf(service, 'requestRefresh')).toMatchObject({ connectionId: CONNECTION, window: { maxItems: 100 } });
    service.answers.syncJob = () => job({ status: 'RUNNING', nextRetryAt: NOW, errorCode: 'PROVIDER_UNAVAILABLE' });
    const running = await rowan.get(PAGE);
    expect(running.text).toContain('data-follow');
    expect(running.text).toContain('The provider does not answer. The next try is at');
    service.answers.syncJob = () => job({ status: 'SUCCEEDED', completeForWindow: true });
    expect((await rowan.get(PAGE)).text).not.toContain('data-follow');
  });

  test('continues with the cursor and no window', async () => {
    const { service, rowan } = await openAccount();
    await rowan.get(PAGE);
    await rowan.post(`${PAGE}/refresh`, { days: '90' });
    service.answers.syncJob = () =>
      job({
        status: 'SUCCEEDED',
        completeForWindow: false,
        incompleteReason: 'MAX_ITEMS',
        continuationCursor: 'cursor-1',
      });
    expect((await rowan.get(PAGE)).text).toContain('Continue');
    await rowan.post(`${PAGE}/continue`, { days: '90' });
    expect(argsOf(service, 'requestRefresh')).toEqual(
      expect.not.objectContaining({ window: expect.anything() as unknown }),
    );
    expect(argsOf(service, 'requestRefresh')).toMatchObject({ continuationCursor: 'cursor-1' });
  });

  test('that can no longer continue says so', async () => {
    const { service, rowan } = await openAccount();
    await rowan.get(PAGE);
    await rowan.post(`${PAGE}/refresh`);
    service.answers.syncJob = () => job({ status: 'SUCCEEDED', completeForWindow: false });
    const { location } = await rowan.post(`${PAGE}/continue`);
    expect((await rowan.get(location ?? '')).text).toContain('Press Refresh to start again');
  });

  test('is refused while another period is being read', async () => {
    const { service, rowan } = await openAccount();
    service.answers.requestRefresh = () => {
      throw refusal('SYNC_WINDOW_BUSY');
    };
    const { location } = await rowan.post(`${PAGE}/refresh`);
    expect((await rowan.get(location ?? '')).text).toContain('Already reading');
    expect((await rowan.get(PAGE)).text).not.toContain('Already reading'); // The notice shows once.
  });
});

describe('links to the platforms', () => {
  test('lead to them, or in development to the page that stands in for them', async () => {
    const links = async (changes: Readonly<Record<string, string>>) => {
      const { service, visitor } = openStudio(changes);
      const rowan = visitor();
      await rowan.signIn(ROWAN);
      const profile = { ...account().profile, profileUrl: 'https://provider-b.example/@harbour' };
      service.answers.connection = () => account({ profile });
      service.answers.content = () => page([]);
      service.answers.contentItem = () => post('1', '5');
      const texts = [await rowan.get(PAGE), await rowan.get(`${PAGE}/posts/1`)].map(({ text }) => text);
      return texts.map((text) => /<a href="([^"]+)" rel="noreferrer"/.exec(text)?.[1]);
    };
    expect(await links({})).toEqual(['https://provider-b.example/@harbour', 'https://provider-b.example/1']);
    const visit = 'http://127.0.0.1:8090/visit';
    expect(await links({ VISIT_URL: visit })).toEqual([
      `${visit}?url=https%3A%2F%2Fprovider-b.example%2F%40harbour`,
      `${visit}?url=https%3A%2F%2Fprovider-b.example%2F1`,
    ]);
  });
});

describe('a lookup', () => {
  test('leads to the post, with the reason if it is unavailable', async () => {
    const { service, rowan } = await openAccount();
    service.answers.requestContentLookup = () => ({ id: 'job-2', status: 'QUEUED' });
    const { location } = await rowan.post(`${PAGE}/lookups`, { url: ' https://provider-b.example/1#comments ' });
    expect(argsOf(service, 'requestContentLookup')).toMatchObject({ url: 'https://provider-b.example/1' });
    service.answers.syncJob = () =>
      job({ status: 'SUCCEEDED', resultProviderContentId: 'a/b', incompleteReason: 'CONTENT_NOT_FOUND' });
    expect((await rowan.get(location ?? '')).location).toBe(`${PAGE}/posts/a%2Fb`);
    service.answers.contentItem = () => post('a/b', '1', { availability: 'UNAVAILABLE', reason: 'CONTENT_NOT_FOUND' });
    expect((await rowan.get(`${PAGE}/posts/a%2Fb`)).text).toContain('no longer shows this post');
    expect(argsOf(service, 'contentItem')).toMatchObject({ providerContentId: 'a/b' });
  });

  test('shows why it failed', async () => {
    const { service, rowan } = await openAccount();
    service.answers.syncJob = () => job({ status: 'FAILED', errorCode: 'UNSUPPORTED_URL' });
    expect((await rowan.get(`${PAGE}/lookups/job-2`)).text).toContain('This is not the URL of a post.');
  });

  test('keeps the URL until it has found a post', async () => {
    const { service, rowan } = await openAccount();
    service.answers.requestContentLookup = () => {
      throw refusal('BAD_USER_INPUT');
    };
    const typed = 'https://provider-b.example/typo?a=1&b="2"';
    const kept = 'value="https://provider-b.example/typo?a=1&amp;b=&quot;2&quot;"';
    const refused = await rowan.post(`${PAGE}/lookups`, { url: typed });
    expect((await rowan.get(refused.location ?? '')).text).toContain(kept);
    service.answers.requestContentLookup = () => ({ id: 'job-2', status: 'QUEUED' });
    await rowan.post(`${PAGE}/lookups`, { url: typed });
    service.answers.syncJob = () => job({ status: 'FAILED', errorCode: 'CONTENT_NOT_FOUND' });
    expect((await rowan.get(`${PAGE}/lookups/job-2`)).text).toContain(kept);
    expect((await rowan.get(`/connections/${OTHER}`)).text).not.toContain('typo');
    service.answers.syncJob = () => job({ status: 'SUCCEEDED', resultProviderContentId: '1' });
    await rowan.get(`${PAGE}/lookups/job-2`);
    expect((await rowan.get(PAGE)).text).not.toContain('typo');
  });
});

describe('a disconnect', () => {
  test('asks first, then shows both receipts until they have settled, and the step left for the person', async () => {
    const { service, rowan } = await openAccount({ provider: 'PROVIDER_C' });
    expect((await rowan.get(`${PAGE}/disconnect`)).text).toContain('Harbour Kitchen');
    expect(service.callsOf('disconnectConnection')).toEqual([]);
    service.answers.disconnectConnection = () => ({ revokeJobId: 'revoke', eraseJobId: 'erase' });
    expect((await rowan.post(`${PAGE}/disconnect`)).location).toBe(`/receipts/${CONNECTION}`);
    service.answers.syncJob = () => job({ status: 'QUEUED' });
    expect((await rowan.get(`/receipts/${CONNECTION}`)).text).toContain('data-follow');
    service.answers.syncJob = ({ id }: { id: string }) =>
      job({ status: 'SUCCEEDED', creatorAction: id === 'revoke' ? 'REMOVE_APP_AT_PROVIDER' : null });
    const { text } = await rowan.get(`/receipts/${CONNECTION}`);
    expect(text).not.toContain('data-follow');
    expect(text).toContain('One step left for you.');
    expect(text).toContain('href="https://provider-c.example/apps"');
    expect(text).toContain('Erased.');
    expect((await rowan.get('/')).text).toContain('Disconnected in the last seven days');
  });

  test('redirects from the erased account to its receipts', async () => {
    const { service, rowan } = await openAccount();
    service.answers.disconnectConnection = () => ({ revokeJobId: 'revoke', eraseJobId: 'erase' });
    await rowan.post(`${PAGE}/disconnect`);
    service.answers.connection = () => {
      throw refusal('NOT_FOUND');
    };
    expect((await rowan.get(PAGE)).location).toBe(`/receipts/${CONNECTION}`);
  });

  test('works for an account that the service does not return', async () => {
    const { service, rowan } = await openAccount();
    await rowan.get(PAGE);
    service.answers.connection = () => {
      throw refusal('AUTHORIZATION_SUSPENDED');
    };
    service.answers.disconnectConnection = () => ({ revokeJobId: 'revoke', eraseJobId: 'erase' });
    expect((await rowan.get(`${PAGE}/disconnect`)).text).toContain('Harbour Kitchen');
    expect((await rowan.post(`${PAGE}/disconnect`)).location).toBe(`/receipts/${CONNECTION}`);
  });
});
