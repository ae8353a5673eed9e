import { WEBHOOK_EVENT_TYPES } from '../../webhooks/event-types.ts';
import { at, DAY, type FillSizes, HOUR, indexes, over, some, type Table, type World } from './world.ts';

/** One event for ten connections in the last 29 days, older ones to delete, and one in a hundred that waits for its next try. */
const eventsOf = ({ connections, due }: FillSizes) => Math.ceil(connections / 10) + due;
const endpointOf = (world: World) => world.madeUp.id('webhook endpoint', 0);
const eventAt = (world: World, index: number) =>
  index < world.due
    ? over(world, index, world.due, 31 * DAY, 32 * DAY)
    : over(world, index - world.due, eventsOf(world) - world.due, HOUR, 29 * DAY);

export const webhookEndpoints: Table = {
  columns: ['endpoint_id', 'app_id', 'url', 'event_types'],
  *made(world) {
    yield [endpointOf(world), world.appId, 'https://caller.example/hooks', some(WEBHOOK_EVENT_TYPES)];
  },
};

export const webhookEvents: Table = {
  columns: ['event_id', 'app_id', 'type', 'connection_id', 'sequence', 'data', 'occurred_at'],
  *made(world) {
    for (const index of indexes(eventsOf(world))) {
      const { id, provider } = world.connection(world.turn(index));
      const occurredAt = eventAt(world, index);
      yield [
        world.madeUp.id('webhook event', index),
        world.appId,
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
    'next_try_at',
    'last_status',
    'last_tried_at',
    'finished_at',
    'created_at',
  ],
  *made(world) {
    for (const index of indexes(eventsOf(world))) {
      const { id } = world.connection(world.turn(index));
      const occurredAt = eventAt(world, index);
      const waits = index >= world.due && index % 100 === 0;
      yield [
        world.madeUp.id('webhook delivery', index),
        world.madeUp.id('webhook event', index),
        endpointOf(world),
        world.appId,
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
    }
  },
};
