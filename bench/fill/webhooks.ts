import { WEBHOOK_EVENT_TYPES } from '../../src/basics/codes.ts';
import type { AppId } from '../../src/basics/ids.ts';
import { at, DAY, HOUR, indexes, over, some, type Table, type World } from './world.ts';

/**
 * One event for ten connections in the last 29 days, and older ones to delete. One endpoint works, and one in a hundred events
 * waits for its next try; another one is disabled because it fails, and all of the last 29 days wait for it. Each app has two
 * such endpoints.
 */
const eventsOf = ({ connections, due }: World) => Math.ceil(connections / 10) + due;
const ENDPOINTS = ['WORKING', 'FAILING'] as const;
const endpointOf = ({ apps, madeUp }: World, owner: AppId, state: (typeof ENDPOINTS)[number]) => {
  const place = apps.findIndex(({ appId }) => appId === owner);
  return madeUp.id('webhook endpoint', place * ENDPOINTS.length + ENDPOINTS.indexOf(state));
};
const eventAt = (world: World, index: number) =>
  index < world.due
    ? over(world, index, world.due, 31 * DAY, 32 * DAY)
    : over(world, index - world.due, eventsOf(world) - world.due, HOUR, 29 * DAY);

export const webhookEndpoints: Table = {
  columns: [
    ...['endpoint_id', 'app_id', 'url', 'event_types', 'enabled', 'disabled_reason', 'disabled_at', 'failing_since'],
    'failures',
  ],
  *made(world) {
    const [failing, disabled] = [at(world.nowMs - 32 * DAY), at(world.nowMs - 29 * DAY)];
    for (const { appId } of world.apps) {
      const shared = [appId, 'https://caller.example/hooks', some(WEBHOOK_EVENT_TYPES)];
      yield [endpointOf(world, appId, 'WORKING'), ...shared, true, null, null, null, 0];
      yield [endpointOf(world, appId, 'FAILING'), ...shared, false, 'FAILING', disabled, failing, 100];
    }
  },
};

export const webhookEvents: Table = {
  columns: ['event_id', 'app_id', 'type', 'connection_id', 'sequence', 'data', 'occurred_at'],
  *made(world) {
    for (const index of indexes(eventsOf(world))) {
      const { id, appId, provider } = world.connection(world.turn(index));
      const occurredAt = eventAt(world, index);
      yield [
        world.madeUp.id('webhook event', index),
        appId,
        'connection.connected',
        id,
        occurredAt.getTime() * 1_000 + (index % 1_000),
        { json: { provider, status: 'CONNECTED' } },
        occurredAt,
      ];
    }
  },
};

export const webhookDeliveries: Table = {
  columns: [
    'delivery_id',
    'event_id',
    'endpoint_id',
    'app_id',
    'event_type',
    'connection_id',
    'status',
    'tries',
    'next_retry_at',
    'last_http_status',
    'last_tried_at',
    'finished_at',
    'occurred_at',
  ],
  *made(world) {
    for (const index of indexes(eventsOf(world))) {
      const { id, appId } = world.connection(world.turn(index));
      const occurredAt = eventAt(world, index);
      const waits = index >= world.due && index % 100 === 0;
      yield [
        world.madeUp.id('webhook delivery', index),
        world.madeUp.id('webhook event', index),
        endpointOf(world, appId, 'WORKING'),
        appId,
        'connection.connected',
        id,
        waits ? 'PENDING' : 'DELIVERED',
        1,
        waits ? at(world.nowMs + HOUR) : null,
        waits ? 500 : 204,
        occurredAt,
        waits ? null : occurredAt,
        occurredAt,
      ];
      if (index < world.due) continue;
      yield [
        world.madeUp.id('waiting webhook delivery', index),
        world.madeUp.id('webhook event', index),
        endpointOf(world, appId, 'FAILING'),
        appId,
        'connection.connected',
        id,
        'PENDING',
        ...[0, occurredAt, null, null, null],
        occurredAt,
      ];
    }
  },
};
