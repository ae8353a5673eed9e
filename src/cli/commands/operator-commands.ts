import { arg, type Command, commandsOf } from '../shape.ts';
import { cut, formatSecond } from './brief.ts';
import { once } from './parts.ts';

const TOKEN = 'id label role createdAt expiresAt revokedAt lastUsedAt sessionOnly';

interface NewToken {
  readonly token: { readonly id: string; readonly role: string; readonly label: string; readonly expiresAt: string };
  readonly secret: string | null;
}

interface Entry {
  readonly happenedAt: string;
  readonly actor: string;
  readonly actorLabel: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly things: readonly { readonly name: string | null; readonly id: string }[];
  readonly outcome: string;
}
const briefEntry = ({ happenedAt, actor, actorLabel, action, target, things: [thing], outcome }: Entry) => ({
  at: formatSecond(happenedAt),
  operator: cut(actorLabel ?? actor, 20),
  action: cut(action, 27),
  about: cut(thing?.name ?? thing?.id ?? target ?? '-', 30),
  outcome: cut(outcome, 14),
});

const command = commandsOf('Operators and the service');

/** Operators, and the service as a whole. */
export const OPERATOR_COMMANDS: Readonly<Record<string, Command>> = {
  find: command(
    'find',
    'Find everything by an id, its first 8 characters, or an exact name: a tenant, a subject, an app, an account, a post',
    { text: arg('text', 'TEXT') },
    'kind id appId tenantKey label',
  ),
  'overview show': command(
    'overview',
    'Show the connections, the stuck jobs and the state of the providers',
    {},
    `at openAttempts stuckRevokes oldestStuckRevokeAt stuckJobs oldestStuckJobAt outboxWaiting outboxOldestAt failingWorkflows
      expiringCredentialCount connections { provider status count } jobs { kind status count }
      providers { provider openJobs succeededLastHour failedLastHour pausedRegistrations rejectedRegistrations spentRegistrations }`,
  ),
  'ended-work list': command(
    'endedWork',
    'Count the work that ended in the last 24 hours by the hour, or in the last 30 days by the day',
    { period: arg('period', 'PERIOD'), app: arg('appId', 'APP_ID'), provider: arg('provider', 'PROVIDER') },
    'counts { at kind outcome cause succeeded count }',
    { show: ({ counts }: { counts: unknown }) => counts },
  ),
  'service show': command('service', "Show the service's URLs", {}, 'graphqlUrl redirectUris { provider url }'),
  'credentials expiring': command(
    'expiringCredentials',
    'List keys, secrets and tokens that expire soon',
    { days: arg('withinDays', 'DAYS') },
    'kind id label appId expiresAt expired',
  ),
  'audit list': command(
    'auditLog',
    'List the audit log, newest first',
    {
      actor: arg('filter.actor', 'ACTOR'),
      action: arg('filter.action', 'ACTION'),
      target: arg('filter.target', 'ID'),
      outcome: arg('filter.outcome', 'OUTCOME'),
      correlation: arg('filter.correlationId', 'CORRELATION_ID'),
      since: arg('filter.since', 'ISO_8601'),
      before: arg('filter.before', 'ISO_8601'),
      reads: arg('filter.reads'),
      'dry-runs': arg('filter.dryRuns'),
    },
    'happenedAt actor actorLabel action target things { kind name id } changes { setting from to } outcome correlationId id',
    { brief: briefEntry },
  ),
  'audit choices': command(
    'auditChoices',
    'List the operators and actions that the audit log names',
    {},
    'actors { actor actorLabel } actions',
  ),
  'admin token list': command('adminTokens', 'List the admin tokens that have not expired', {}, TOKEN),
  'admin token create': command(
    'createAdminToken',
    'Issue an admin token; this shows it once. It lives 90 days at most, which is the default',
    {
      role: arg('input.role', 'ROLE'),
      expires: arg('input.expiresAt', 'ISO_8601'),
      label: arg('input.label', 'LABEL', { isRequired: false }),
      ...once,
    },
    `token { ${TOKEN} } secret`,
    {
      fixed: { input: { label: 'command line' } },
      show: ({ token, secret }: NewToken) => ({
        tokenId: token.id,
        role: token.role,
        label: token.label,
        expiresAt: token.expiresAt,
        token: secret,
      }),
    },
  ),
  'admin token revoke': command(
    'revokeAdminToken',
    'Revoke an admin token at once, and end its sessions',
    { token: arg('id', 'TOKEN_ID') },
    TOKEN,
  ),
  whoami: command('me', 'Show the token of this request', {}, TOKEN),
};
