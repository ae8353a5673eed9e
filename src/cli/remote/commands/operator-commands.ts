import { PROVIDER_NAMES } from '../../../basics/codes.ts';
import { may, mayNumber, need, type RemoteCommand } from '../shape.ts';
import { ID, mutationsOf, PAGE, paged, queriesOf } from './parts.ts';

const TOKEN = 'id label role createdAt expiresAt revokedAt lastUsedAt sessionOnly';

const query = queriesOf('Operators and the service');
const mutate = mutationsOf('Operators and the service');

/** Operators, and the service as a whole. */
export const OPERATOR_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  find: query(
    'find',
    'Find everything by an id, its first 8 characters, a correlation id, or a tenant key',
    { text: need('text', 'TEXT') },
    { text: 'String!' },
    'kind id appId label',
  ),
  'overview show': query(
    'overview',
    'Show the connections, the stuck jobs and the state of the providers',
    {},
    {},
    `at openAttempts stuckRevokes oldestStuckRevokeAt stuckJobs oldestStuckJobAt outboxWaiting outboxOldestAt failingWorkflows
      expiringCredentialCount connections { provider status count } jobs { kind status count }
      providers { provider openJobs succeededLastHour failedLastHour pausedRegistrations rejectedRegistrations spentRegistrations }`,
  ),
  'ended-work list': {
    ...query(
      'endedWork',
      'Count what ended in the last 24 hours by the hour, or in the last 30 days by the day',
      {
        period: need('period', 'PERIOD', ['DAY', 'MONTH']),
        app: may('appId', 'APP_ID'),
        provider: may('provider', 'PROVIDER', PROVIDER_NAMES),
      },
      { period: 'WorkPeriod!', appId: 'ID', provider: 'SocialProvider' },
      'counts { at kind outcome succeeded count }',
    ),
    show: ({ counts }: { counts: unknown }) => counts,
  },
  'service show': query('service', "Show the service's URLs", {}, {}, 'graphqlUrl redirectUris { provider url }'),
  'credentials expiring': query(
    'expiringCredentials',
    'List keys, secrets and tokens that expire soon',
    { days: mayNumber('withinDays', 'DAYS') },
    { withinDays: 'Int' },
    'kind id label appId expiresAt expired',
  ),
  'audit list': query(
    'auditLog',
    'List the audit log, newest first',
    {
      actor: may('filter.actor', 'ACTOR'),
      action: may('filter.action', 'ACTION'),
      target: may('filter.target', 'ID'),
      outcome: may('filter.outcome', 'OUTCOME'),
      correlation: may('filter.correlationId', 'CORRELATION_ID'),
    },
    { filter: 'AuditFilter', ...PAGE },
    paged('happenedAt actor actorLabel action target outcome correlationId id'),
    { isPaged: true },
  ),
  'audit choices': query(
    'auditChoices',
    'List the operators and actions that the audit log names',
    {},
    {},
    'actors { actor actorLabel } actions',
  ),
  'admin token list': query('adminTokens', 'List the admin tokens that have not expired', {}, {}, TOKEN),
  'admin token revoke': mutate(
    'revokeAdminToken',
    'Revoke an admin token at once, and end its sessions',
    { token: need('id', 'TOKEN_ID') },
    ID,
    TOKEN,
  ),
  whoami: query('me', 'Show the token of this request', {}, {}, TOKEN),
};
