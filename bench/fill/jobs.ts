import { buildReceiptParts } from '../../src/domain/disconnecting/receipts.ts';
import {
  at,
  connectionsOf,
  correlation,
  DAY,
  HOUR,
  indexes,
  MINUTE,
  over,
  SECOND,
  type Table,
  TENANT,
} from './world.ts';

export const readJobs: Table = {
  columns: [
    'job_id',
    'kind',
    'connection_id',
    'app_id',
    'provider',
    'requested_by',
    'is_refresh',
    'status',
    'published_after',
    'published_before',
    'window_omitted',
    'max_items',
    'provider_content_id',
    'item_count',
    'reached_end',
    'tries',
    'last_failure',
    'first_failed_at',
    'next_retry_at',
    'error_code',
    'correlation_id',
    'created_at',
    'started_at',
    'finished_at',
  ],
  *made(world) {
    const { nowMs, madeUp, due, jobs } = world;
    const live = (index: number) => {
      for (let turn = index; ; turn += 1) {
        const one = world.connection(world.turn(turn));
        if (one.status !== 'DISCONNECTED') return one;
      }
    };
    const finished = world.connections + due;
    for (const index of indexes(finished)) {
      // First the jobs past their retention, then those of a week, one in ten of them failed.
      const ended =
        index < due
          ? over(world, index, due, 7 * DAY + HOUR, 8 * DAY)
          : over(world, index - due, world.connections, MINUTE, 7 * DAY);
      const one = live(index);
      const hasFailed = index % 10 === 9;
      const createdMs = ended.getTime() - 20 * SECOND;
      yield [
        madeUp.id('job', index),
        'SCAN',
        one.id,
        one.appId,
        one.provider,
        index % 3 === 0 ? 'SERVICE' : 'CALLER',
        index % 3 === 0,
        hasFailed ? 'FAILED' : 'SUCCEEDED',
        at(createdMs - 7 * DAY),
        at(createdMs),
        true,
        100,
        null,
        hasFailed ? 0 : 3,
        !hasFailed,
        0,
        null,
        null,
        null,
        hasFailed ? 'PROVIDER_UNAVAILABLE' : null,
        correlation(world, 'job', index),
        at(createdMs),
        at(createdMs + SECOND),
        ended,
      ];
    }
    for (const index of indexes(jobs + due)) {
      const isLost = index < due;
      const one = live(index);
      const created = isLost ? over(world, index, due, HOUR, 5 * HOUR) : over(world, index - due, jobs, 0, 50 * MINUTE);
      const isWaiting = !isLost && index % 4 !== 0;
      const [retryMs, isNew] = [nowMs + MINUTE + madeUp.number('retry', index, 14 * MINUTE), !isLost && !isWaiting];
      yield [
        madeUp.id('open job', index),
        'METRICS',
        one.id,
        one.appId,
        one.provider,
        'SERVICE',
        false,
        isNew ? 'QUEUED' : 'RUNNING',
        null,
        null,
        false,
        null,
        `post-${index}`,
        0,
        false,
        isWaiting ? 3 : 0,
        isWaiting ? 'PROVIDER_UNAVAILABLE' : null,
        isWaiting ? created : null,
        isWaiting ? at(retryMs) : null,
        null,
        correlation(world, 'open job', index),
        isNew ? at(nowMs) : created,
        isNew ? null : created,
        null,
      ];
    }
  },
};

export const disconnectJobs: Table = {
  columns: [
    'job_id',
    'kind',
    'status',
    'connection_id',
    'grant_id',
    'app_id',
    'provider',
    'registration_id',
    'scope_mac',
    'scope_id',
    'principal_mac',
    'tries',
    'last_failure',
    'first_failed_at',
    'next_retry_at',
    'give_up_at',
    'awaits_revoke',
    'correlation_id',
    'created_at',
    'started_at',
    'finished_at',
  ],
  *made(world) {
    const { nowMs, madeUp, due, keys } = world;
    // The receipts of a year of disconnects, by week: first those past their retention.
    const receipts = Math.ceil(world.connections / 50);
    for (const index of indexes(Math.ceil(due / 2) + receipts)) {
      const isOld = index < due / 2;
      const created = isOld
        ? over(world, index, due / 2, 7 * DAY + HOUR, 8 * DAY)
        : over(world, index, receipts, HOUR, 6.9 * DAY);
      const { appId, provider, registrationId } = world.connection(index % world.connections);
      const scopeMac = { hex: madeUp.bytes('gone scope', index, 32) };
      for (const kind of ['REVOKE', 'ERASE']) {
        yield [
          madeUp.id(`receipt ${kind}`, index),
          kind,
          'SUCCEEDED',
          madeUp.id('gone connection', index),
          null,
          appId,
          provider,
          registrationId,
          scopeMac,
          madeUp.id('gone scope', index),
          null,
          0,
          null,
          null,
          null,
          kind === 'REVOKE' ? at(created.getTime() + 3 * DAY) : null,
          false,
          correlation(world, 'receipt', index),
          created,
          created,
          at(created.getTime() + MINUTE),
        ];
      }
    }
    for (const one of connectionsOf(world)) {
      if (one.status !== 'DISCONNECTED') continue;
      const { index } = one;
      const isLost = one.role === 'LOST';
      const createdMs = nowMs - HOUR - madeUp.number('disconnected', index, isLost ? HOUR : 40 * HOUR);
      const scopeMac = keys.mac.of(
        ...buildReceiptParts(one.appId, { tenantKey: TENANT, externalSubjectId: one.subject }),
      );
      const principalMac = keys.mac.of('principal', one.registrationId, one.principal);
      for (const kind of ['REVOKE', 'ERASE']) {
        const isRevoke = kind === 'REVOKE';
        const isTried = isRevoke && !isLost;
        yield [
          madeUp.id(`release ${kind}`, index),
          kind,
          'RUNNING',
          one.id,
          isRevoke ? madeUp.id('grant', index) : null,
          one.appId,
          one.provider,
          one.registrationId,
          { hex: scopeMac.toString('hex') },
          one.scopeId,
          { hex: principalMac.toString('hex') },
          isTried ? 12 : 0,
          isTried ? 'PROVIDER_UNAVAILABLE' : null,
          isTried ? at(createdMs) : null,
          isTried ? at(nowMs + MINUTE + madeUp.number('revoke retry', index, 58 * MINUTE)) : null,
          isRevoke ? at(createdMs + 3 * DAY) : null,
          !isRevoke,
          correlation(world, 'release', index),
          at(createdMs),
          at(createdMs),
          null,
        ];
      }
    }
  },
};
