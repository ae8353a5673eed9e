import { PROVIDER_NAMES } from '../../../basics/codes.ts';
import { buildConnectRedirectUri } from '../../../domain/connecting/redirect-uris.ts';
import { areRowsKept, describeEnd } from '../../../domain/texts/ended-work-texts.ts';
import { describeFailure } from '../../../domain/texts/failure-messages.ts';
import type { QueryResolvers } from '../../../generated/admin-schema.ts';
import { getEndedWork } from '../../../store/ended-work.ts';
import * as store from '../../../store/overview.ts';
import { parseArgs } from '../../inputs.ts';
import type { AdminContext } from '../context.ts';
import * as args from '../inputs.ts';

type Queries = QueryResolvers<AdminContext>;

/** Credentials that expire within these days count on the overview. */
const ATTENTION_DAYS = 30;

export const service: Queries['service'] = async (_root, _given, { config, facts }) => ({
  graphqlUrl: `${config.CONNECT_URL}/graphql`,
  redirectUris: PROVIDER_NAMES.map((provider) => ({
    provider,
    url: buildConnectRedirectUri(config.CONNECT_URL, facts[provider]),
  })),
});

export const overview: Queries['overview'] = async (_root, _given, { sql, countFailing, temporalUi }) => {
  const [connections, jobs, totals, failing, health, expiring, failingWorkflows] = await Promise.all([
    store.countConnections(sql),
    store.countJobs(sql),
    store.getTotals(sql),
    store.listFailures(sql),
    store.listHealth(sql, PROVIDER_NAMES),
    store.listExpiring(sql, ATTENTION_DAYS),
    countFailing(),
  ]);
  return {
    ...totals,
    connections,
    jobs,
    providers: health.map((row) => ({
      ...row,
      failing: failing.flatMap(({ provider, code, count, since }) => {
        const failure = describeFailure(code, { open: true });
        return provider === row.provider && failure !== null ? [{ failure, count, since }] : [];
      }),
    })),
    expiringCredentialCount: expiring.length,
    failingWorkflows,
    failingWorkflowsUrl: temporalUi.failing(),
  };
};

export const endedWork: Queries['endedWork'] = async (_root, given, { sql }) => {
  const { period, ...filter } = parseArgs(args.EndedWorkArgs, given);
  const { now, since, before, counts } = await getEndedWork(sql, period, filter);
  return {
    since,
    before,
    counts: counts.map((each) => ({
      ...each,
      ...describeEnd(each.kind, each.outcome),
      rowsKept: areRowsKept(each.kind, each.at, now),
    })),
  };
};

export const expiringCredentials: Queries['expiringCredentials'] = async (_root, given, { sql }) =>
  await store.listExpiring(sql, parseArgs(args.ExpiringArgs, given).withinDays);
