import { expect, test } from 'vitest';
import { call, failureOf, type Seen, useAdapters } from '../../kit/fake-platform.ts';
import { access, insights, list, post, range, refusal, week, wire } from './media.ts';

const adapters = useAdapters();

const firstPage = async () =>
  await adapters.providers.PROVIDER_C.listContent(
    access,
    { window: week, cursor: null, limit: 100, withMetrics: true },
    call(),
  );

const metricsOf = async (
  answers: (request: Seen) => { status?: number; body: unknown },
  { object = {}, who = access } = {},
) => {
  adapters.platform.script((request) =>
    request.path.endsWith('/insights') ? answers(request) : { body: { ...wire(post(0)), ...object } },
  );
  const input = { providerContentIds: [post(0).id], withMetrics: true };
  const [item] = await adapters.providers.PROVIDER_C.readContent(who, input, call());
  return item?.metrics;
};
const asked = () =>
  adapters.platform.seen.filter(({ path }) => path.endsWith('/insights')).map(({ query }) => query.metric);
const available = { availability: 'AVAILABLE', reason: null };
const unavailable = (reason: string) => ({ value: null, availability: 'UNAVAILABLE', reason });

test.each([
  ['no data', insights(null, null), 'NO_DATA_YET'],
  [
    'a post from before the account was professional',
    refusal(100, { error_subcode: 2108006 }),
    'BEFORE_PROFESSIONAL_ACCOUNT',
  ],
  ['too few viewers', refusal(10, { message: 'Not enough viewers for the media to show insights' }), 'TOO_FEW_VIEWERS'],
  ['a post that was deleted meanwhile', refusal(100, { error_subcode: 33 }), 'NOT_SHOWN'],
])('are unavailable, not zero and not a failure, for %s', async (_name, answer, reason) => {
  const metrics = await metricsOf(() => answer);
  expect(metrics?.slice(2)).toMatchObject([
    { name: 'VIEWS', ...unavailable(reason) },
    { name: 'SHARES', ...unavailable(reason) },
  ]);
  expect(asked()).toEqual(['views,shares']);
});

test('report NOT_GRANTED after the permission was withdrawn, and send no more calls', async () => {
  adapters.platform.script((request) => (request.path.endsWith('/insights') ? refusal(10) : list(range(50), request)));
  const { items } = await firstPage();
  expect(items).toHaveLength(10);
  expect(items[9]?.metrics[2]).toMatchObject({ name: 'VIEWS', availability: 'NOT_GRANTED' });
  expect(asked()).toHaveLength(5);
});

test('of posts read by id are complete or fail, because missing posts would count as deleted', async () => {
  const [one = post(0), two = post(1)] = range(8);
  adapters.platform.script((request) => {
    if (request.path.endsWith('/insights')) return request.path.includes(one.id) ? insights(7, 1) : refusal(80002);
    return { body: Object.fromEntries((request.query.ids ?? '').split(',').map((id) => [id, { ...wire(two), id }])) };
  });
  const input = { providerContentIds: range(8).map(({ id }) => id), withMetrics: true };
  const reading = adapters.providers.PROVIDER_C.readContent(access, input, call());
  expect(await failureOf(reading)).toMatchObject({ type: 'PlatformLimit' });
});

test('are unavailable if likes are hidden or comments not shown', async () => {
  const metrics = await metricsOf(() => insights(1, 1), {
    object: { like_count: undefined, comments_count: undefined },
  });
  expect(metrics).toMatchObject([unavailable('HIDDEN_BY_OWNER'), unavailable('NOT_SHOWN'), available, available]);
});

test('that were read before a failure are kept: the next step continues after them', async () => {
  const measured = [post(0), post(1), post(2), post(3), post(4), post(5), post(6)].map(({ id }) => id);
  const isKnown = ({ path }: Seen) => measured.some((id) => path.includes(id));
  adapters.platform.script((request) => {
    if (!request.path.endsWith('/insights')) return list(range(25), request);
    return isKnown(request) ? insights(7, 1) : refusal(80002);
  });
  const first = await firstPage();
  expect(first.items.map(({ providerContentId }) => providerContentId)).toEqual(measured);
  expect(first.reachedEnd).toBe(false);
  adapters.platform.script((request) =>
    request.path.endsWith('/insights') ? insights(7, 1) : list(range(25), request),
  );
  const input = { window: week, cursor: first.cursor, limit: 93, withMetrics: true };
  const second = await adapters.providers.PROVIDER_C.listContent(access, input, call());
  expect(second.items.map(({ providerContentId }) => providerContentId)).toEqual([7, 8, 9].map((n) => post(n).id));
  expect(asked()).toHaveLength(3);
});
