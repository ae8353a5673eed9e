// The measured reads: each request, its rows, the check of its response, and the one query of the bare programs.
import { selectAll } from '../scripts/select-all.mjs';

const DAY_MS = 86_400_000;
const PAGE = 20;
export const MAX_TARGETS = 10_000;

/** The columns of a scope `s` that a target needs. */
export const scopeColumns = (sql) =>
  sql`s.app_id as "appId", s.tenant_key as "tenantKey", s.external_subject_id as "externalSubjectId"`;

/** Each target: its app and the variables of its request. `rows` have the columns of their scopes. */
export function toTargets(rows, buildVariables) {
  if (rows.length === 0) throw new Error('No row can be requested.');
  return rows.map(({ appId, tenantKey, externalSubjectId, ...row }, index) => ({
    appId,
    variables: buildVariables(row, { tenantKey, externalSubjectId }, index),
  }));
}

export const isWrong = (answer, field) =>
  answer.errors === undefined && answer.data?.[field] ? undefined : `no ${field}`;

/** Spread over all rows. */
export const spread = (sql) => sql`order by md5(s.external_subject_id) limit ${MAX_TARGETS}`;

/**
 * `findTargets` picks the rows to request. `bareParameters` turns `variables` into the parameters of `bareSql`, and
 * `bareResult` turns its rows into the same fields as the GraphQL response.
 */
export const cases = {
  content: {
    query: `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
      content(scope: $scope, connectionId: $connectionId, window: $window) {
        items ${selectAll('ContentItem')}
        pageInfo { endCursor hasNextPage completeForWindow incompleteReason }
        lastSuccessfulSyncAt
      }
    }`,
    async findTargets(sql) {
      const [publishedAfter, publishedBefore] = [new Date(Date.now() - 89 * DAY_MS), new Date()];
      const rows = await sql`
        select connection_id as "connectionId", ${scopeColumns(sql)} from connection c join scope s using (scope_id)
        where status = 'CONNECTED' and ${PAGE} <= (select count(*) from content_item i where i.connection_id = c.connection_id
          and published_at between ${publishedAfter} and ${publishedBefore} and observed_at > now() - interval '29 days')
        ${spread(sql)}
      `;
      const window = { publishedAfter, publishedBefore, first: PAGE };
      return toTargets(rows, ({ connectionId }, scope) => ({ scope, connectionId, window }));
    },
    findFault(answer) {
      const items = answer.data?.content?.items;
      if (answer.errors !== undefined || items?.length !== PAGE) return 'not a page';
      return items.every(({ metrics }) => metrics.length === 4) ? undefined : 'metrics are missing';
    },
    bareSql: `
      select content_item_id as id, provider_content_id as "providerContentId", provider, kind, canonical_url as "canonicalUrl",
        details, published_at as "publishedAt", availability, reason,
        observed_at as "observedAt", metrics, metrics_observed_at as "metricsObservedAt",
        c.last_successful_sync_at as "lastSuccessfulSyncAt"
      from content_item i join connection c using (connection_id) join scope s using (scope_id)
      where connection_id = $1 and s.tenant_key = $2 and s.external_subject_id = $3 and published_at >= $4 and published_at < $5
        and observed_at > now() - interval '30 days'
      order by published_at desc, content_item_id desc limit $6`,
    bareParameters: ({ scope, connectionId, window }) => [
      connectionId,
      scope.tenantKey,
      scope.externalSubjectId,
      window.publishedAfter,
      window.publishedBefore,
      window.first + 1,
    ],
    bareResult(rows, { window }) {
      const items = rows
        .slice(0, window.first)
        .map(({ metricsObservedAt, lastSuccessfulSyncAt, details, ...item }) => ({
          ...item,
          ...details,
          metrics: item.metrics.map((metric) => ({ ...metric, observedAt: metricsObservedAt })),
        }));
      const pageInfo = {
        endCursor: items.at(-1)?.id ?? null,
        hasNextPage: rows.length > window.first,
        completeForWindow: true,
        incompleteReason: null,
      };
      return { items, pageInfo, lastSuccessfulSyncAt: rows[0]?.lastSuccessfulSyncAt ?? null };
    },
  },

  connection: {
    query: `query ($scope: SubjectScope!, $id: ID!) {
      connection(scope: $scope, id: $id) {
        id provider providerAccountId status syncStatus capabilities { capability availability reason }
        profile { providerAccountId displayName handle avatarUrl profileUrl description observedAt }
        lastSuccessfulSyncAt nextRetryAt
      }
    }`,
    async findTargets(sql) {
      const rows = await sql`
        select connection_id as id, ${scopeColumns(sql)}
        from connection join scope s using (scope_id) where status = 'CONNECTED' ${spread(sql)}
      `;
      return toTargets(rows, ({ id }, scope) => ({ scope, id }));
    },
    findFault: (answer, { variables }) =>
      isWrong(answer, 'connection') ?? (answer.data.connection.id === variables.id ? undefined : 'another connection'),
    bareSql: `
      select connection_id as id, provider, provider_account_id as "providerAccountId", status, sync_status as "syncStatus",
        capabilities, profile, profile_observed_at as "observedAt", last_successful_sync_at as "lastSuccessfulSyncAt",
        null as "nextRetryAt"
      from connection join scope using (scope_id)
      where connection_id = $1 and tenant_key = $2 and external_subject_id = $3`,
    bareParameters: ({ scope, id }) => [id, scope.tenantKey, scope.externalSubjectId],
    bareResult([{ observedAt, profile, ...row }]) {
      return { ...row, profile: { ...profile, providerAccountId: row.providerAccountId, observedAt } };
    },
  },

  syncJob: {
    query: `query ($scope: SubjectScope!, $connectionId: ID!, $id: ID!) {
      syncJob(scope: $scope, connectionId: $connectionId, id: $id) {
        id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason
        continuationCursor
      }
    }`,
    async findTargets(sql) {
      const rows = await sql`
        select job_id as id, connection_id as "connectionId", ${scopeColumns(sql)}
        from read_job join connection using (connection_id) join scope s using (scope_id)
        where finished_at > now() - interval '6 days' ${spread(sql)}
      `;
      return toTargets(rows, ({ connectionId, id }, scope) => ({ scope, connectionId, id }));
    },
    findFault: (answer, { variables }) =>
      isWrong(answer, 'syncJob') ?? (answer.data.syncJob.id === variables.id ? undefined : 'another job'),
    bareSql: `
      select job_id as id, j.status, next_retry_at as "nextRetryAt", error_code as "errorCode", null as "creatorAction",
        result_provider_content_id as "resultProviderContentId", incomplete_reason is null as "completeForWindow",
        incomplete_reason as "incompleteReason", null as "continuationCursor"
      from read_job j join connection using (connection_id) join scope using (scope_id)
      where job_id = $1 and connection_id = $2 and tenant_key = $3 and external_subject_id = $4`,
    bareParameters: ({ scope, connectionId, id }) => [id, connectionId, scope.tenantKey, scope.externalSubjectId],
    bareResult: ([row]) => row,
  },

  connectSessionResult: {
    query: `query ($scope: SubjectScope!, $id: ID!) {
      connectSessionResult(scope: $scope, id: $id) {
        id provider status resultCode connectionId creatorAction expiresAt resultExpiresAt
      }
    }`,
    async findTargets(sql) {
      const rows = await sql`
        select attempt_id as id, ${scopeColumns(sql)}
        from connect_attempt join scope s using (scope_id) where result_expires_at > now() + interval '30 minutes'
        ${spread(sql)}
      `;
      return toTargets(rows, ({ id }, scope) => ({ scope, id }));
    },
    findFault: (answer, { variables }) =>
      isWrong(answer, 'connectSessionResult') ??
      (answer.data.connectSessionResult.id === variables.id ? undefined : 'another attempt'),
    bareSql: `
      select attempt_id as id, provider, status, result_code as "resultCode", connection_id as "connectionId",
        creator_action as "creatorAction", expires_at as "expiresAt", result_expires_at as "resultExpiresAt"
      from connect_attempt join scope using (scope_id)
      where attempt_id = $1 and tenant_key = $2 and external_subject_id = $3 and result_expires_at > now()`,
    bareParameters: ({ scope, id }) => [id, scope.tenantKey, scope.externalSubjectId],
    bareResult: ([row]) => row,
  },
};
