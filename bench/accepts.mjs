// The measured accepts: each request, its rows, the check of its response, and how to undo its writes. Shaped like
// `reads.mjs`. For databases that `npm run fill` has filled without due rows.
import { createHash } from 'node:crypto';
import { isWrong, MAX_TARGETS, scopeColumns, spread, toTargets } from './reads.mjs';

/** The limit of jobs in flight for each app. */
const MAX_IN_FLIGHT = 20;
const POSTS_EACH = 20;

/** Connections `c` whose disconnect would cancel nothing. */
const isIdle = (sql) => sql`c.status = 'CONNECTED' and not exists (
  select from read_job j where j.connection_id = c.connection_id and j.status in ('QUEUED', 'RUNNING')
)`;

/** The length of the longest part of `targets`, taken round and round, in which no app reaches its limit. */
function countWithinLimit(targets) {
  const places = new Map(targets.map(({ appId }) => [appId, []]));
  for (const [place, { appId }] of targets.entries()) places.get(appId).push(place);
  let most = targets.length;
  for (const own of places.values()) {
    if (own.length <= MAX_IN_FLIGHT) continue;
    own.forEach((place, index) => {
      const next = index + MAX_IN_FLIGHT;
      const end = next < own.length ? own[next] : own[next - own.length] + targets.length;
      most = Math.min(most, end - place);
    });
  }
  return most;
}

/** `countTargets` is how many targets can be sent before `restore`. The other functions are as in `reads.mjs`. */
export const cases = {
  requestRefresh: {
    query: `mutation ($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) {
      requestRefresh(scope: $scope, connectionId: $connectionId, providerContentId: $providerContentId) { id status }
    }`,
    /** One post of many connections rather than many posts of one, and every app in turn. */
    async findTargets(sql) {
      const rows = await sql`
        with author as (
          select connection_id, ${scopeColumns(sql)},
            row_number() over (partition by s.app_id order by md5(s.external_subject_id)) as place
          from connection c join scope s using (scope_id)
          where c.status = 'CONNECTED' and exists (select from content_item i where i.connection_id = c.connection_id)
        ),
        post as (
          select author.*, provider_content_id,
            row_number() over (partition by "appId" order by post_place, place) as turn
          from author cross join lateral (
            select provider_content_id, row_number() over (order by provider_content_id) as post_place
            from content_item i where i.connection_id = author.connection_id and not exists (
              select from read_job j where j.connection_id = i.connection_id and j.provider_content_id = i.provider_content_id
            )
            order by provider_content_id limit ${POSTS_EACH}
          ) item
          where place <= ${MAX_TARGETS} / (select count(*) from app)
        )
        select connection_id as "connectionId", provider_content_id as "providerContentId", "appId", "tenantKey",
          "externalSubjectId"
        from post order by turn, "appId" limit ${MAX_TARGETS}
      `;
      return toTargets(rows, (row, scope) => ({ scope, ...row }));
    },
    findFault: (answer) =>
      isWrong(answer, 'requestRefresh') ??
      (answer.data.requestRefresh.status === 'QUEUED' ? undefined : 'it joined another job'),
    countTargets: countWithinLimit,
  },

  createConnectSession: {
    query: `mutation ($input: ConnectInput!) {
      createConnectSession(input: $input) { id launchUrl launchToken expiresAt resultExpiresAt }
    }`,
    /** Every other session is for a person without a connection. */
    async findTargets(sql) {
      const rows = await sql`
        select ${scopeColumns(sql)} from connection join scope s using (scope_id) where status = 'CONNECTED' ${spread(sql)}
      `;
      const input = {
        provider: 'PROVIDER_B',
        capabilities: ['PROFILE', 'CONTENT_LIST'],
        returnUrl: 'https://caller.example/connected',
      };
      return toTargets(rows, (_row, scope, index) => {
        const newcomer = createHash('md5').update(String(index)).digest('hex');
        return { input: { ...input, scope: index % 2 === 0 ? scope : { ...scope, externalSubjectId: newcomer } } };
      });
    },
    findFault: (answer) =>
      isWrong(answer, 'createConnectSession') ??
      (/^[0-9a-f]{64}$/.test(answer.data.createConnectSession.launchToken) ? undefined : 'no launch token'),
    countTargets: (targets) => targets.length,
  },

  disconnectConnection: {
    query: `mutation ($scope: SubjectScope!, $connectionId: ID!) {
      disconnectConnection(scope: $scope, connectionId: $connectionId) {
        accepted connectionId upstreamRevocationPending revokeJobId eraseJobId
      }
    }`,
    async findTargets(sql) {
      const rows = await sql`
        select connection_id as "connectionId", ${scopeColumns(sql)}
        from connection c join scope s using (scope_id) where ${isIdle(sql)} ${spread(sql)}
      `;
      return toTargets(rows, ({ connectionId }, scope) => ({ scope, connectionId }));
    },
    findFault: (answer, { variables }) =>
      isWrong(answer, 'disconnectConnection') ??
      (answer.data.disconnectConnection.accepted &&
      answer.data.disconnectConnection.connectionId === variables.connectionId
        ? undefined
        : 'not accepted'),
    countTargets: (targets) => targets.length,
  },
};

/**
 * Undoes the accepts: deletes their rows, without triggers, and reconnects the connections that they disconnected.
 * @param sql a connection of a superuser.
 * @param filledAt the end of the fill, whose own rows are older.
 */
export async function restore(sql, filledAt) {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      update account_grant g set status = 'LIVE' from connection c
      where c.status = 'DISCONNECTED' and g.connection_id = c.connection_id and g.status = 'REVOKING'
    `;
    await tx`update connection set status = 'CONNECTED' where status = 'DISCONNECTED'`;
    await tx`delete from disconnect_job where created_at > ${filledAt}`;
    await tx`delete from read_job where status in ('QUEUED', 'RUNNING') and requested_by = 'CALLER'`;
    await tx`
      with ended as (delete from connect_attempt where created_at > ${filledAt} returning scope_id)
      delete from scope s using ended where s.scope_id = ended.scope_id and s.external_subject_id ~ '^[0-9a-f]{32}$'
    `;
    await tx`delete from webhook_delivery where occurred_at > ${filledAt}`;
    await tx`delete from webhook_event where occurred_at > ${filledAt}`;
    await tx`delete from outbox`;
    await tx`delete from journal_entry`;
    await tx`delete from connection_count where abs(change) = 1`; // The rows of the fill count many.
  });
}
