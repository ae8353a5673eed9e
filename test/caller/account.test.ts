import { describe, expect, test } from 'vitest';
import { CONNECTION, newAccount, newJob } from './fake-service.ts';
import { openSignedIn } from './visitor.ts';

const PAGE = `/connections/${CONNECTION}`;
const NOW = new Date().toISOString();

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

async function openAccount(changes: object = {}, variables: Readonly<Record<string, string>> = {}) {
  const { service, rowan } = await openSignedIn(variables);
  service.answers.connection = () => newAccount(changes);
  service.answers.content = () => page([post('1', '1200'), post('2', null)]);
  return { service, rowan };
}

describe('the page of an account', () => {
  test.each([
    ['PROVIDER_A', {}, false],
    ['PROVIDER_A', { YOUTUBE_DERIVED_METRICS: 'accepted' }, true],
    ['PROVIDER_B', {}, true],
  ] as const)('adds up the counts of %s with %j: %s', async (provider, variables, hasTotals) => {
    const { service, rowan } = await openAccount({ provider }, variables);
    service.answers.content = () => page([post('1', '1200', { provider }), post('2', '34', { provider })]);
    const { text } = await rowan.get(PAGE);
    expect(text.includes('Totals of 2 posts')).toBe(hasTotals);
    expect(text).toContain('1.2K'); // Each post's own count.
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
});

test('a disconnect asks first, then shows both receipts until they have settled, and the step left for the person', async () => {
  const { service, rowan } = await openAccount({ provider: 'PROVIDER_C' });
  expect((await rowan.get(`${PAGE}/disconnect`)).text).toContain('Harbour Kitchen');
  expect(service.callsOf('disconnectConnection')).toEqual([]);
  service.answers.disconnectConnection = () => ({ revokeJobId: 'revoke', eraseJobId: 'erase' });
  expect((await rowan.post(`${PAGE}/disconnect`)).location).toBe(`/receipts/${CONNECTION}`);
  service.answers.syncJob = () => newJob({ status: 'QUEUED' });
  expect((await rowan.get(`/receipts/${CONNECTION}`)).text).toContain('data-follow');
  service.answers.syncJob = ({ id }: { id: string }) =>
    newJob({ status: 'SUCCEEDED', creatorAction: id === 'revoke' ? 'REMOVE_APP_AT_PROVIDER' : null });
  const { text } = await rowan.get(`/receipts/${CONNECTION}`);
  expect(text).not.toContain('data-follow');
  expect(text).toContain('One step left for you.');
  expect(text).toContain('href="https://provider-c.example/apps"');
  expect(text).toContain('Erased.');
});
