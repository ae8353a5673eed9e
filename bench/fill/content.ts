import type { MadeUp } from './made-up.ts';
import { at, DAY, HOUR, indexes, MINUTE, over, type Table, type World, YEAR } from './world.ts';

/** Each due post follows the older half of all posts. */
const firstDue = (world: World) => Math.ceil(world.posts / 2);
const ownerOf = (world: World, index: number) => world.turn(index % world.authors);
export const ownersOfDuePosts = (world: World): ReadonlySet<number> =>
  new Set([...indexes(world.due)].map((offset) => ownerOf(world, firstDue(world) + offset)));

const KINDS = ['VIDEO', 'IMAGE', 'CAROUSEL'] as const;

export const posts: Table = {
  columns: [
    'content_item_id',
    'connection_id',
    'provider_content_id',
    'content_mac',
    'kind',
    'canonical_url',
    'details',
    'published_at',
    'availability',
    'reason',
    'metrics',
    'metrics_observed_at',
    'observed_at',
    'blanked_at',
  ],
  *made(world) {
    const { nowMs, madeUp, due, keys } = world;
    for (const index of indexes(world.posts)) {
      const owner = ownerOf(world, index);
      const connectionId = madeUp.id('connection', owner);
      const publishedMs = Math.floor(nowMs - YEAR + (index / world.posts) * YEAR);
      const id = madeUp.id('post', index);
      // Posts of the last half year have all their data; of older posts, a keyed hash of the id remains.
      if (publishedMs < nowMs - YEAR / 2) {
        const observedMs = publishedMs + 10 * DAY;
        yield [
          id,
          connectionId,
          null,
          { hex: keys.mac.of('post', connectionId, `post-${index}`).toString('hex') },
          'UNKNOWN',
          null,
          '{}',
          null,
          'UNAVAILABLE',
          'EXPIRED',
          '[]',
          null,
          at(observedMs),
          at(observedMs + 30 * DAY),
        ];
        continue;
      }
      const isDue = index - firstDue(world) < due;
      const observed = at(
        isDue
          ? nowMs - 30 * DAY - HOUR - madeUp.number('due post', index, DAY)
          : nowMs - madeUp.number('observed', index, 29 * DAY),
      );
      yield [
        id,
        connectionId,
        `post-${index}`,
        null,
        KINDS[index % 3] ?? 'VIDEO',
        `https://platform.example/posts/${index}`,
        {
          json: {
            title: `A boat in the harbour, number ${index}`,
            description:
              'Seen from the pier this morning: small boats, big gulls, and somebody who has to paint a hull before it rains.',
            thumbnailUrl: `https://platform.example/posts/${index}/thumbnail.jpg`,
          },
        },
        at(publishedMs),
        'AVAILABLE',
        null,
        { json: metricsOf(madeUp, index) },
        observed,
        observed,
        null,
      ];
    }
  },
};

const metricsOf = (madeUp: MadeUp, index: number) =>
  (['VIEWS', 'LIKES', 'COMMENTS', 'SHARES'] as const).map((name, place) => ({
    name,
    value: name === 'SHARES' ? null : String(madeUp.number(name, index, 10 ** (6 - place))),
    availability: name === 'SHARES' ? 'UNSUPPORTED' : 'AVAILABLE',
    reason: name === 'SHARES' ? 'NOT_OFFERED' : null,
    sourceField: name === 'SHARES' ? null : `${name.toLowerCase()}Count`,
  }));

export const coverage: Table = {
  columns: ['coverage_id', 'connection_id', 'published', 'scanned_at'],
  *made(world) {
    const { madeUp, due } = world;
    const range = (fromMs: number, toMs: number) => `[${at(fromMs).toISOString()},${at(toMs).toISOString()})`;
    for (const index of indexes(due)) {
      const scannedMs = over(world, index, due, 30 * DAY + HOUR, 32 * DAY).getTime();
      const { id } = world.connection(world.turn(index));
      yield [madeUp.id('old coverage', index), id, range(scannedMs - 7 * DAY, scannedMs), at(scannedMs)];
    }
    for (const index of indexes(world.connections)) {
      const { id, role } = world.connection(world.turn(index));
      if (role === 'LOST' || role === 'REVOKING') continue;
      const scannedMs = over(world, index, world.connections, MINUTE, 26 * HOUR).getTime();
      yield [madeUp.id('coverage', index), id, range(scannedMs - 7 * DAY, scannedMs), at(scannedMs)];
    }
  },
};
