import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { CAPABILITIES, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { PROVIDER_ERROR_TYPES } from '../../src/basics/failures.ts';
import { createAdapters } from '../../src/providers/adapters.ts';
import { createHttp } from '../../src/providers/http.ts';
import { failureOf, openStageWith } from '../kit/activity-stage.ts';
import { DAY_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { configFor, openFakePlatform, type Seen } from '../kit/fake-platform.ts';
import { type Database, test as postgresTest } from '../kit/postgres.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Odd {
  /** The index of a node of the answer, modulo the number of nodes. */
  readonly at: number;
  readonly value: Json;
}

const RUNS = 100;
/** Written as a bare number into an answer's text; JSON.stringify cannot produce such a number. */
const HUGE = '@@400 digits@@';
const ACCOUNT = 'account-1';
const nested = (levels: number): Json => (levels === 0 ? 'deep' : [nested(levels - 1)]);

/** Values that no platform sends, or only once. */
const ODD_VALUES: readonly Json[] = [
  'nul \u0000 in it',
  '\u0000',
  'half a pair \ud83d',
  '\ude00 the other half',
  'long '.repeat(4_000),
  'x'.repeat(3_000),
  'line\nbreak\r\nand tab\t',
  '',
  ' ',
  '../../etc',
  'constructor',
  '__proto__',
  'javascript:alert(1)',
  'http://plain.example/picture.jpg',
  `https://long.example/${'a'.repeat(10_000)}`,
  'https://user:secret@example.com/',
  '+200000-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '12',
  '-3',
  '9223372036854775808',
  '9'.repeat(60),
  HUGE,
  -1,
  0,
  1.5,
  1e21,
  9_223_372_036_854_776_000,
  253_402_300_800,
  true,
  false,
  null,
  [],
  {},
  ['a'],
  { a: 'b' },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as Json,
  nested(200),
  Array.from({ length: 3_000 }, (_, index) => index),
];

const at = (days: number) => new Date(Date.now() - days * DAY_MS);

/** A valid answer of each platform's API, by the end of the path. */
const GOOD: Readonly<Record<ProviderName, (seen: Seen, url: string) => Json>> = {
  PROVIDER_A: ({ path, query }, url) => {
    if (path.endsWith('/token')) {
      const iss = configFor(url).PROVIDER_A_AUTHORIZE_URL;
      const payload = { iss, aud: 'client', sub: '1122', exp: Math.floor(Date.now() / 1000) + 3_600 };
      const claims = Buffer.from(JSON.stringify(payload)).toString('base64url');
      const scope = 'openid https://www.googleapis.com/auth/youtube.readonly';
      return { access_token: 'at', expires_in: 3599, refresh_token: 'rt', scope, id_token: `x.${claims}.y` };
    }
    const items =
      path.endsWith('/channels') && query.part?.startsWith('contentDetails')
        ? [{ id: ACCOUNT, contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }]
        : path.endsWith('/channels')
          ? [{ id: ACCOUNT, snippet: { ...TEXTS, customUrl: '@harbour', thumbnails: { high: { url: PICTURE } } } }]
          : path.endsWith('/playlistItems')
            ? [1, 2].map((number) => ({
                snippet: { ...TEXTS, publishedAt: at(number).toISOString() },
                contentDetails: { videoId: `video-${number}`, videoPublishedAt: at(number).toISOString() },
                status: { privacyStatus: 'public' },
              }))
            : (query.id ?? '').split(',').map((id) => ({
                id,
                snippet: { ...TEXTS, channelId: ACCOUNT, publishedAt: at(1).toISOString() },
                status: { privacyStatus: 'public' },
                statistics: { viewCount: '12', likeCount: '3', commentCount: '0' },
              }));
    return { kind: 'youtube#list', items };
  },
  PROVIDER_B: ({ path, body }) => {
    if (path.endsWith('/token/')) {
      const tokens = { access_token: 'at', expires_in: 86_400, refresh_token: 'rt', refresh_expires_in: 31_536_000 };
      return { ...tokens, open_id: ACCOUNT, scope: 'user.info.basic,user.info.profile,video.list' };
    }
    const error = { code: 'ok', message: '', log_id: 'x' };
    if (path.endsWith('/user/info/')) {
      const names = { display_name: 'Harbour', username: 'harbour', bio_description: 'boats' };
      const links = { avatar_url: PICTURE, avatar_large_url: PICTURE, profile_deep_link: 'https://vm.tiktok.com/Z1/' };
      return { data: { user: { open_id: ACCOUNT, ...names, ...links } }, error };
    }
    const asked = JSON.parse(body) as { filters?: { video_ids: string[] } };
    const videos = (asked.filters?.video_ids ?? ['7300000000000000001', '7300000000000000002']).map((id, index) => ({
      id,
      create_time: Math.floor(at(index + 1).getTime() / 1000),
      title: 'a title',
      video_description: 'a description',
      share_url: `https://www.tiktok.com/@harbour/video/${id}?utm_source=x`,
      cover_image_url: PICTURE,
      view_count: 12,
      like_count: 3,
      comment_count: 0,
      share_count: 1,
    }));
    return { data: { videos, cursor: at(3).getTime(), has_more: false }, error };
  },
  PROVIDER_C: ({ path, query }) => {
    if (path.endsWith('/oauth/access_token')) {
      const permissions = 'instagram_business_basic,instagram_business_manage_insights';
      return { access_token: 'short', user_id: 1784140000000000, permissions };
    }
    if (path.endsWith('/access_token')) return { access_token: 'long', token_type: 'bearer', expires_in: 5_184_000 };
    if (path.endsWith('/insights')) {
      return { data: ['views', 'shares'].map((name) => ({ name, period: 'lifetime', values: [{ value: 12 }] })) };
    }
    const media = (id: string, days: number) => ({
      id,
      caption: 'a caption',
      media_type: 'IMAGE',
      permalink: `https://www.instagram.com/p/DExAmP${id.slice(-2)}/`,
      media_url: PICTURE,
      timestamp: at(days)
        .toISOString()
        .replace(/\.\d+Z$/, '+0000'),
      like_count: 3,
      comments_count: 0,
    });
    if (path.endsWith('/me/media')) {
      return {
        data: [media('17900000000000001', 1), media('17900000000000002', 2)],
        paging: { cursors: { after: 'x' } },
      };
    }
    if (path.endsWith('/me')) {
      const names = { username: 'harbour', name: 'Harbour', account_type: 'BUSINESS', biography: 'boats' };
      return { id: '17841400000000001', user_id: ACCOUNT, profile_picture_url: PICTURE, ...names };
    }
    if (query.ids) return Object.fromEntries(query.ids.split(',').map((id) => [id, media(id, 1)]));
    return media(decodeURIComponent(path.split('/').at(-1) ?? ''), 1);
  },
};
const TEXTS = { title: 'a title', description: 'a description' };
const PICTURE = 'https://pictures.example/1.jpg';

/** The same answer with some odd values, or with a repeated list. */
function alter(good: Json, changes: readonly Odd[]): Json {
  let altered = structuredClone(good);
  for (const { at: wanted, value } of changes) {
    const places: ((next: Json) => void)[] = [
      (next) => {
        altered = next;
      },
    ];
    const walk = (node: Json): void => {
      if (Array.isArray(node)) {
        places.push(() => void node.push(...structuredClone(node)));
        for (const [index, inner] of node.entries()) {
          places.push((next) => void node.splice(index, 1, next));
          walk(inner);
        }
      } else if (node !== null && typeof node === 'object') {
        for (const [key, inner] of Object.entries(node)) {
          places.push((next) => {
            node[key] = next;
          });
          walk(inner);
        }
      }
    };
    walk(altered);
    // Replacing the whole answer is seldom useful: the first node is chosen only for a round number.
    places[wanted % 40 === 0 ? 0 : 1 + (wanted % Math.max(1, places.length - 1))]?.(structuredClone(value));
  }
  return altered;
}
const inText = (json: Json) => JSON.stringify(json).replaceAll(`"${HUGE}"`, '9'.repeat(400));

const odd: fc.Arbitrary<Odd> = fc.record({
  at: fc.nat({ max: 400 }),
  value: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ODD_VALUES) }, fc.jsonValue() as fc.Arbitrary<Json>),
});
const oddities = fc.array(odd, { minLength: 1, maxLength: 3 });

/** Real adapters over a platform with valid answers, except those that `spoil` changes. */
const test = postgresTest.extend<{ world: Awaited<ReturnType<typeof openWorld>> }>({
  world: async ({ sql }, use) => {
    const world = await openWorld(sql);
    await use(world);
    await world.close();
  },
});

async function openWorld(sql: Database) {
  const platform = await openFakePlatform();
  const http = createHttp({ production: false, userAgent: 'odd-answers/1' });
  const stage = await openStageWith(
    sql,
    createAdapters(configFor(platform.url), http, () => new Date()),
  );
  /** From now on, alters some of the provider's answers with these changes. */
  function answerWith(provider: ProviderName, changes: readonly Odd[]): void {
    let requests = 0;
    const altered = changes[0]?.at ?? 0; // One answer in three, a different one each time.
    platform.script((seen) => {
      requests += 1;
      const good = GOOD[provider](seen, platform.url);
      return { body: inText((requests + altered) % 3 === 0 ? alter(good, changes) : good) };
    });
  }

  async function scan(connectionId: Parameters<typeof stage.newScan>[0], provider: ProviderName) {
    await sql`delete from content_item where connection_id = ${connectionId}`;
    await sql`delete from read_job where connection_id = ${connectionId}`;
    const { jobId } = await stage.newScan(connectionId);
    await sql`update read_job set provider = ${provider} where job_id = ${jobId}`;
    for (let steps = 0; steps < 50; steps += 1) {
      if ((await runActivity(stage.activities.runScanStep, { jobId })).done) return jobId;
    }
    return expect.fail('The scan does not come to an end.');
  }
  const connect = (provider: ProviderName) =>
    stage.newConnection({ provider, capabilities: CAPABILITIES }).then(async (connection) => {
      await sql`update connection set provider_account_id = ${ACCOUNT} where connection_id = ${connection.connectionId}`;
      const permissions = [
        ...['user.info.basic', 'user.info.profile', 'video.list', 'instagram_business_basic'],
        ...['instagram_business_manage_insights', 'https://www.googleapis.com/auth/youtube.readonly'],
      ];
      await sql`update account_grant set permissions = ${permissions} where grant_id = ${connection.grantId}`;
      return connection;
    });
  return {
    stage,
    answerWith,
    scan,
    connect,
    close: async () => {
      await http.close();
      await platform.close();
    },
  };
}

/** @returns whether `work` succeeded; checks that a failure has a type that the workflows know. */
async function inKnownWays(work: Promise<unknown>): Promise<boolean> {
  const settled = await Promise.allSettled([work]);
  if (settled[0].status === 'fulfilled') return true;
  const { type } = await failureOf(work);
  expect(PROVIDER_ERROR_TYPES).toContain(type);
  return false;
}

for (const provider of PROVIDER_NAMES) {
  describe(provider, () => {
    test('stores a valid answer completely', async ({ world, sql }) => {
      const { connectionId } = await world.connect(provider);
      world.answerWith(provider, []);
      const jobId = await world.scan(connectionId, provider);
      expect(await world.stage.job('read_job', jobId)).toMatchObject({ status: 'SUCCEEDED', incompleteReason: null });
      const stored = await sql`select metrics from content_item where connection_id = ${connectionId}`;
      expect(stored.map(({ metrics }) => metrics.length)).toEqual([4, 4]);
    });

    test('a scan stores its page or fails with a known type for any answer', async ({ world, sql }) => {
      const { connectionId } = await world.connect(provider);
      let stored = 0;
      await fc.assert(
        fc.asyncProperty(oddities, async (changes) => {
          world.answerWith(provider, changes);
          if (!(await inKnownWays(world.scan(connectionId, provider)))) return;
          const rows = await sql`select * from content_item where connection_id = ${connectionId}`;
          stored += rows.length;
          for (const row of rows) expectBounded(row);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(stored).toBeGreaterThan(RUNS / 30);
    });

    test('an exchange and an account read yield a grant or a known failure for any answer', async ({ world, sql }) => {
      let stored = 0;
      await fc.assert(
        fc.asyncProperty(oddities, async (changes) => {
          world.answerWith(provider, changes);
          const { attemptId } = await world.stage.newAttempt({ provider, capabilities: CAPABILITIES });
          if (!(await inKnownWays(runActivity(world.stage.activities.exchangeCode, { attemptId })))) return;
          if (!(await inKnownWays(runActivity(world.stage.activities.readAccount, { attemptId })))) return;
          const [grant] = await sql`
            select provider_account_id from account_grant where attempt_id = ${attemptId}
          `;
          expect(grant?.providerAccountId).toMatch(/^[\x21-\x7e]{1,255}$/);
          stored += 1;
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(stored).toBeGreaterThan(RUNS / 30);
    });
  });
}

function expectBounded(row: Readonly<Record<string, unknown>>): void {
  const { providerContentId, canonicalUrl, details, publishedAt, metrics } = row;
  const { thumbnailUrl = null, ...texts } = details as Record<string, unknown>;
  expect(providerContentId).toMatch(/^[\x21-\x7e]{1,255}$/);
  for (const text of Object.values(texts)) {
    expect(typeof text === 'string' && text.length <= 10_000 && text.isWellFormed()).toBe(true);
  }
  for (const url of [canonicalUrl, thumbnailUrl].filter((one) => one !== null)) {
    expect(url).toMatch(/^https?:\/\/[^/@]+\//); // The sandbox may use plain http.
    expect(String(url).length).toBeLessThanOrEqual(4_096);
  }
  expect(publishedAt instanceof Date && publishedAt.getUTCFullYear() <= 9_999).toBe(true);
  for (const { value } of metrics as { value: string | null }[]) {
    if (value !== null)
      expect(BigInt(value) >= 0n && BigInt(value) < 10n ** 30n && /^(0|[1-9]\d*)$/.test(value)).toBe(true);
  }
}
