import { CAPABILITIES } from '../../src/basics/codes.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { ownersOfDuePosts } from './content.ts';
import {
  at,
  connectionsOf,
  correlation,
  DAY,
  HOUR,
  indexes,
  MINUTE,
  over,
  RETURN_URL,
  some,
  type Table,
  TENANT,
  type World,
} from './world.ts';

export const scopes: Table = {
  columns: ['scope_id', 'app_id', 'tenant_key', 'external_subject_id'],
  *made(world) {
    let last = '';
    for (const { scopeId, appId, subject } of connectionsOf(world)) {
      if (scopeId !== last) yield [scopeId, appId, TENANT, subject];
      last = scopeId;
    }
    for (const index of indexes(attemptsOf(world)))
      yield [attemptScope(world, index), appOf(world, index), TENANT, `visitor-${index}`];
    for (const index of indexes(world.due))
      yield [deadScope(world, index), appOf(world, index), TENANT, `left-${index}`];
  },
};

const CAPABILITY_STATES = CAPABILITIES.map((capability) => ({ capability, availability: 'AVAILABLE', reason: null }));

export const connections: Table = {
  columns: [
    'connection_id',
    'scope_id',
    'app_id',
    'provider',
    'registration_id',
    'provider_account_id',
    'status',
    'sync_status',
    'capabilities',
    'profile',
    'profile_observed_at',
    'last_successful_sync_at',
    'upkeep_due_at',
    'refresh_due_at',
    'posts_read_since',
    'created_at',
    'changed_at',
  ],
  *made(world) {
    const { nowMs, madeUp } = world;
    const withDuePosts = ownersOfDuePosts(world);
    for (const one of connectionsOf(world)) {
      const { index, role } = one;
      const isGone = role === 'LOST' || role === 'REVOKING';
      const profileMs = nowMs - (role === 'OLD_PROFILE' ? 31 * DAY : HOUR + madeUp.number('profile', index, 22 * DAY));
      const upkeepMs = role === 'TENDED' ? nowMs - MINUTE - madeUp.number('upkeep', index, HOUR) : profileMs + 32 * DAY;
      const changedMs =
        role === 'HELD' ? nowMs - HOUR - madeUp.number('held', index, HOUR) : Math.max(one.createdMs, nowMs - 9 * DAY);
      yield [
        one.id,
        one.scopeId,
        one.appId,
        one.provider,
        one.registrationId,
        one.principal,
        one.status,
        isGone ? 'READY' : (['READY', 'READY', 'READY', 'PARTIAL', 'FAILED'][index % 5] ?? 'READY'),
        { json: CAPABILITY_STATES },
        isGone
          ? null
          : {
              json: {
                displayName: `Person ${index}`,
                handle: `person${index}`,
                avatarUrl: `https://platform.example/avatars/${index}.jpg`,
                profileUrl: `https://platform.example/person${index}`,
                description: 'Boats, mostly small ones, and what the harbour looks like in the morning.',
              },
            },
        isGone ? null : at(profileMs),
        isGone ? null : at(nowMs - madeUp.number('synced', index, 26 * HOUR)),
        isGone ? null : at(upkeepMs),
        // Once a day; one in 25 is due.
        one.status === 'CONNECTED' ? at(nowMs - HOUR + madeUp.number('automatic', index, 25 * HOUR)) : null,
        at(nowMs - (withDuePosts.has(index) ? 32 : 29) * DAY),
        at(one.createdMs),
        at(changedMs),
      ];
    }
  },
};

const GRANT_COLUMNS = [
  'grant_id',
  'attempt_id',
  'scope_id',
  'provider',
  'registration_id',
  'connection_id',
  'status',
  'principal_mac',
  'account_macs',
  'permissions',
  'sealed_tokens',
  'access_expires_at',
  'refresh_expires_at',
  'generation',
  'obtained_at',
  'import_mac',
];

/** How many tokens it seals concurrently. */
const SEALED_AT_ONCE = 200;

export const grants: Table = {
  columns: GRANT_COLUMNS,
  async *made(world) {
    const { nowMs, madeUp, keys } = world;
    for (let from = 0; from < world.connections; from += SEALED_AT_ONCE) {
      const part = [...indexes(Math.min(SEALED_AT_ONCE, world.connections - from))].map((offset) =>
        world.connection(from + offset),
      );
      const sealed = await Promise.all(
        part.map(({ index, role }) =>
          role === 'RECONNECTING'
            ? null
            : keys.sealGrant(tokensOf(index), associatedData.tokens(madeUp.id('grant', index))),
        ),
      );
      for (const [offset, one] of part.entries()) {
        const { index, role } = one;
        const isDead = role === 'RECONNECTING';
        const isGone = role === 'LOST' || role === 'REVOKING';
        const principal = keys.mac.of('principal', one.registrationId, one.principal).toString('hex');
        const account = keys.mac.of('account', one.registrationId, one.principal).toString('hex');
        yield [
          madeUp.id('grant', index),
          madeUp.id('grant attempt', index),
          one.scopeId,
          one.provider,
          one.registrationId,
          one.id,
          isDead ? 'DEAD' : isGone ? 'REVOKING' : 'LIVE',
          { hex: principal },
          `{"\\\\x${account}"}`,
          some(['profile.read', 'content.read']),
          sealed[offset] ?? null,
          at(nowMs + madeUp.number('access', index, 2 * HOUR)),
          at(nowMs + 60 * DAY + madeUp.number('refresh', index, 200 * DAY)),
          1 + madeUp.number('generation', index, 300),
          at(one.createdMs),
          index % 20 === 0 ? { hex: madeUp.bytes('import', index, 32) } : null, // Moved in from another system.
        ];
      }
    }
    for (const index of indexes(world.due)) {
      const { provider, registrationId } = world.connection(index);
      yield [
        madeUp.id('dead grant', index),
        madeUp.id('dead grant attempt', index),
        deadScope(world, index),
        provider,
        registrationId,
        null,
        'DEAD',
        null,
        '{}',
        some(['profile.read']),
        null,
        null,
        null,
        1,
        over(world, index, world.due, 8 * DAY, 9 * DAY),
        null,
      ];
    }
  },
};

const tokensOf = (index: number) =>
  JSON.stringify({ accessToken: `access-${index}`, refreshToken: `refresh-${index}` });
const deadScope = (world: World, index: number) => world.madeUp.id('dead scope', index);

/** The attempts of the last day, with readable results, and older ones to delete. */
const attemptsOf = ({ connections, due }: World) => Math.ceil(connections / 100) + 2 * due;
const appOf = (world: World, index: number) => world.connection(index % world.connections).appId;
const attemptScope = (world: World, index: number) => world.madeUp.id('attempt scope', index);

export const attempts: Table = {
  columns: [
    'attempt_id',
    'scope_id',
    'app_id',
    'provider',
    'registration_id',
    'capabilities',
    'return_url',
    'status',
    'result_code',
    'launch_token_sha256',
    'state_sha256',
    'browser_sha256',
    'correlation_id',
    'created_at',
    'expires_at',
    'result_expires_at',
    'finished_at',
  ],
  *made(world) {
    const { due, madeUp } = world;
    const count = attemptsOf(world);
    for (const index of indexes(count)) {
      const { appId, provider, registrationId } = world.connection(index % world.connections);
      // First the attempts with unreadable results, then those without an answer or with a lost workflow, then the others
      // of the last day.
      const created =
        index < due
          ? over(world, index, due, 25 * HOUR, 26 * HOUR)
          : index < 2 * due
            ? over(world, index - due, due, HOUR, 20 * HOUR)
            : over(world, index - 2 * due, count - 2 * due, MINUTE, 23 * HOUR);
      const isOpen = index >= due && index < 2 * due;
      const status = isOpen
        ? index % 2 === 0
          ? 'AUTHORIZING'
          : 'EXCHANGING'
        : (['DENIED', 'FAILED', 'EXPIRED', 'CANCELED'][index % 4] ?? 'FAILED');
      const launched = isOpen || index % 4 !== 2;
      yield [
        madeUp.id('attempt', index),
        attemptScope(world, index),
        appId,
        provider,
        registrationId,
        some(['PROFILE', 'CONTENT_LIST']),
        RETURN_URL,
        status,
        isOpen
          ? null
          : ({ DENIED: 'ACCESS_DENIED', FAILED: 'EXCHANGE_FAILED', EXPIRED: 'EXPIRED' }[status] ?? 'CANCELED'),
        { hex: madeUp.bytes('launch', index, 32) },
        launched ? { hex: madeUp.bytes('state', index, 32) } : null,
        launched ? { hex: madeUp.bytes('browser', index, 32) } : null,
        correlation(world, 'attempt', index),
        created,
        at(created.getTime() + 10 * MINUTE),
        at(created.getTime() + DAY),
        isOpen ? null : at(created.getTime() + 5 * MINUTE),
      ];
    }
  },
};
