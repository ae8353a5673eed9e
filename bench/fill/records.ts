import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { at, correlation, DAY, HOUR, indexes, over, some, type Table, YEAR } from './world.ts';

export const auditLog: Table = {
  columns: ['happened_at', 'actor', 'action', 'target', 'outcome', 'correlation_id', 'related'],
  *made(world) {
    const count = Math.ceil(world.connections / 20);
    for (const index of indexes(count)) {
      const { id } = world.connection(world.turn(index));
      yield [
        over(world, index, count, 0, YEAR),
        'cli',
        index % 5 === 0 ? 'retryJob' : 'disconnectConnection',
        id,
        'OK',
        correlation(world, 'audit', index),
        some([world.madeUp.id('job', index)]),
      ];
    }
  },
};

export const journalEntries: Table = {
  columns: ['entry_id', 'kind', 'id', 'happened_at'],
  *made(world) {
    for (const index of indexes(world.due)) {
      yield [
        world.madeUp.id('entry', index),
        'GRANT',
        world.madeUp.id('dead grant', index),
        over(world, index, world.due, 90 * DAY + HOUR, 91 * DAY),
      ];
    }
  },
};

export const usage: Table = {
  columns: ['registration_id', 'day', 'app_id', 'units'],
  *made(world) {
    for (const index of indexes(365)) {
      for (const provider of PROVIDER_NAMES) {
        const day = at(world.nowMs - (364 - index) * DAY)
          .toISOString()
          .slice(0, 10);
        yield [world.registrations[provider], day, world.apps[0].appId, world.madeUp.number('units', index, 9_000)];
      }
    }
  },
};
