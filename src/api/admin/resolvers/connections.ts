import { isReceiptKind } from '../../../basics/codes.ts';
import { badInput } from '../../../basics/errors.ts';
import type { AppId, ConnectionId } from '../../../basics/ids.ts';
import { disconnect } from '../../../domain/disconnecting/disconnect.ts';
import { listReached } from '../../../domain/reach.ts';
import { namePeople } from '../../../domain/rules/audit-names.ts';
import type { Connection, ConnectionStory } from '../../../generated/admin-schema.ts';
import { countAdminAttempts, findAdminAttempt, listAdminAttempts } from '../../../store/attempts/admin-attempts.ts';
import { connectAttempts, moveAttemptToEnd } from '../../../store/attempts/attempts.ts';
import {
  countAdminConnections,
  findAdminConnection,
  findEndingRevoke,
  listAdminConnections,
} from '../../../store/connections/admin-connections.ts';
import { listAlsoEnded } from '../../../store/connections/siblings.ts';
import { listAdminGrants } from '../../../store/grants/admin-grants.ts';
import { EVERY_JOB, listAdminJobs } from '../../../store/jobs/admin-jobs.ts';
import { findDisconnectable, listParentIds } from '../../../store/jobs/bulk-disconnects.ts';
import { listAuditEntries } from '../../../store/operators/audit-log.ts';
import { lockScopeById } from '../../../store/scopes.ts';
import type { Mac } from '../../../vault/mac.ts';
import type { AnyContext } from '../context.ts';
import type { Args, Mutations, Queries } from '../contract.ts';
import { readPage } from '../pages.ts';
import { toAttempt, toAuditEntries, toConnection, toGrant, toJob } from '../to-graphql.ts';
import { createNotFoundError, getExisting } from './lookups.ts';

/** Of each kind of thing in a story. */
const STORY_LIMIT = 50;

/** @returns undefined when nothing is left to list. */
async function tellStory(
  context: AnyContext,
  id: ConnectionId,
  showNames = false,
): Promise<ConnectionStory | undefined> {
  const { sql, temporalUi } = context;
  const page = { limit: STORY_LIMIT, after: null };
  const anyAttempt = { appId: null, provider: null, registrationId: null, statuses: null };
  const [found, attempts, grants, jobs, wholesale, endedByJobId = null] = await Promise.all([
    findAdminConnection(sql, id),
    listAdminAttempts(sql, { ...anyAttempt, connectionId: id }, page),
    listAdminGrants(sql, id),
    listAdminJobs(sql, { ...EVERY_JOB, connectionId: id }, page),
    listParentIds(sql, id),
    findEndingRevoke(sql, id),
  ]);
  if (found === undefined && jobs.length === 0) return undefined;
  const { registrationId, provider } = found ?? {};
  const revokes = registrationId !== undefined && provider !== undefined && context.facts[provider].canRevoke;
  const alsoEnds = revokes ? await listAlsoEnded(sql, id, await listReached(context, sql, registrationId)) : [];
  const targets = [id, ...wholesale, ...jobs.map(({ jobId }) => jobId), ...attempts.map(({ attemptId }) => attemptId)];
  const audit = await listAuditEntries(
    sql,
    { actor: null, action: null, outcome: null, targets, reads: false },
    { limit: STORY_LIMIT, position: null },
  );
  return {
    id,
    connection: found === undefined ? null : toConnection(context, found, showNames),
    attempts: attempts.map((attempt) => toAttempt(temporalUi, attempt)),
    grants: grants.map(toGrant),
    receipts: jobs.filter(({ kind }) => isReceiptKind(kind)).map((job) => toJob(context, job)),
    jobs: jobs.filter(({ kind }) => !isReceiptKind(kind)).map((job) => toJob(context, job)),
    audit: await toAuditEntries(sql, audit),
    endedByJobId,
    alsoEnds,
  };
}

/** Whether the operator looks for a person: a match then confirms who they are. */
const namesAPerson = ({ search, externalSubjectId }: Args<'connections'>['filter']): boolean =>
  search !== null || externalSubjectId !== null;

const hasNames = ({ accountName, accountHandle }: Connection) => accountName !== null || accountHandle !== null;

/** In an entry of the audit log: the operator saw names or handles of accounts. */
const NAMES = 'NAMES';

const nameOwner = (mac: Mac, { appId, tenantKey, externalSubjectId }: Connection): string[] => [
  appId,
  ...namePeople(mac, { appId: appId as AppId, tenantKey, externalSubjectId }),
];

export const Query = {
  connections: async ({ filter, showNames, ...page }, context) =>
    await readPage(
      context.mac,
      'connections',
      { ...page, filter },
      {
        list: (asked) => listAdminConnections(context.sql, filter, asked),
        place: (row) => [row.createdAt, row.connectionId],
        show: (rows) => {
          const shown = rows.map((row) => toConnection(context, row, showNames));
          const named = namesAPerson(filter) ? shown : shown.filter(hasNames);
          context.showed([...named.map(({ id }) => id), ...(shown.some(hasNames) ? [NAMES] : [])]);
          return shown;
        },
      },
    ),

  connectionCount: async ({ filter }, { sql }) => await countAdminConnections(sql, filter),

  connection: async ({ id, showNames }, context) => {
    const story = await getExisting('connection', id, (known) => tellStory(context, known, showNames));
    const { connection } = story;
    if (connection !== null)
      context.showed([...nameOwner(context.mac, connection), ...(hasNames(connection) ? [NAMES] : [])]);
    return story;
  },

  attempts: async ({ filter, ...page }, { mac, sql, temporalUi }) =>
    await readPage(
      mac,
      'attempts',
      { ...page, filter },
      {
        list: (asked) => listAdminAttempts(sql, filter, asked),
        place: (row) => [row.createdAt, row.attemptId],
        show: (rows) => rows.map((row) => toAttempt(temporalUi, row)),
      },
    ),

  attemptCount: async ({ filter }, { sql }) => await countAdminAttempts(sql, filter),

  attempt: async ({ id }, { sql, temporalUi }) =>
    toAttempt(temporalUi, await getExisting('attempt', id, (attemptId) => findAdminAttempt(sql, attemptId))),
} satisfies Partial<Queries>;

export const Mutation = {
  disconnectConnection: async ({ id }, context) => {
    const found = await getExisting('connection', id, (connectionId) => findDisconnectable(context.sql, connectionId));
    const cause = { reason: 'OPERATOR', correlationId: context.correlationId } as const;
    const result = await disconnect(context, context.sql, found, found, cause);
    if (result === undefined) throw createNotFoundError('connection');
    context.touched([result.revokeJobId, result.eraseJobId, found.appId, ...namePeople(context.mac, found)]);
    return await getExisting('connection', id, (connectionId) => tellStory(context, connectionId));
  },

  cancelAttempt: async ({ id }, { sql, temporalUi, touched }) => {
    const found = await getExisting('attempt', id, (attemptId) => connectAttempts.find(sql, attemptId));
    await lockScopeById(sql, found.scopeId);
    const ended = await moveAttemptToEnd(sql, found.attemptId, { status: 'CANCELED', resultCode: 'CANCELED' });
    if (!ended) throw badInput('id', 'names an attempt that has ended');
    // Its workflow, if a code has arrived, reads the row, and revokes a grant if the attempt has one by then.
    touched([found.appId]);
    return toAttempt(temporalUi, await getExisting('attempt', id, (attemptId) => findAdminAttempt(sql, attemptId)));
  },
} satisfies Partial<Mutations>;
