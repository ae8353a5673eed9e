import { PROVIDER_NAMES } from '../../../basics/codes.ts';
import { buildConnectRedirectUri } from '../../../domain/connecting/redirect-uris.ts';
import { areRowsKept, describeEnd } from '../../../domain/texts/ended-work-texts.ts';
import { describeFailure } from '../../../domain/texts/failure-messages.ts';
import { describeRefusal } from '../../../domain/texts/refusal-texts.ts';
import { completeByReport, isSilent } from '../../../domain/work-state/complete-workers.ts';
import { describeHealth, describeWebhookHealth } from '../../../domain/work-state/describe-health.ts';
import { getEndedWork, listRecentEnds } from '../../../store/ended-work.ts';
import { findLastPresence, listReports } from '../../../store/installation.ts';
import * as store from '../../../store/overview.ts';
import { countWebhookEndpoints, listRecoveredWebhookEndpoints } from '../../../store/webhooks/webhook-endpoints.ts';
import type { Queries } from '../contract.ts';
import { toEndpoints } from './webhooks.ts';

/** Credentials that expire within these days count on the overview. */
const ATTENTION_DAYS = 30;
/** A provider that fails again and again has more of them within two hours. */
const MOST_OUTAGES = 3;

export const Query = {
  service: async (_args, { config, facts }) => ({
    graphqlUrl: `${config.CONNECT_URL}/graphql`,
    redirectUris: PROVIDER_NAMES.map((provider) => ({
      provider,
      url: buildConnectRedirectUri(config.CONNECT_URL, facts[provider]),
    })),
    providersWithDailyQuota: PROVIDER_NAMES.filter((provider) => facts[provider].dailyQuota !== null),
  }),

  overview: async (_args, context) => {
    const { sql, countFailing, askWorkers, temporalUi } = context;
    const [connections, jobs, totals, failing, past, health, expiring, recent, endpoints, failingWorkflows, asked] =
      await Promise.all([
        store.countConnections(sql),
        store.countJobs(sql),
        store.getTotals(sql),
        store.listFailures(sql),
        store.listPastFailures(sql),
        store.listHealth(sql, PROVIDER_NAMES),
        store.listExpiring(sql, ATTENTION_DAYS),
        listRecentEnds(sql),
        countWebhookEndpoints(sql),
        countFailing(),
        askWorkers(),
      ]);
    const [report, processes, recovered] = await Promise.all([
      findLastPresence(sql),
      listReports(sql),
      listRecoveredWebhookEndpoints(sql),
    ]);
    const workers = completeByReport(asked, report);
    return {
      ...totals,
      connections,
      jobs,
      providers: health.map((row) => ({
        ...row,
        health: describeHealth(row, { connections, failing, recent, workers: workers.state }),
        pastFailures: past.filter(({ provider }) => provider === row.provider).slice(-MOST_OUTAGES),
        failing: failing.flatMap(({ provider, code, isClientRefused, ...jobs }) => {
          const { lastAnswer, lastAnswerCode } = jobs;
          const refusedClient = isClientRefused ? { answer: lastAnswer, answerCode: lastAnswerCode } : null;
          const failure = describeFailure(code, { open: true, lastAnswer, refusedClient });
          return provider === row.provider && failure !== null ? [{ ...jobs, failure }] : [];
        }),
      })),
      webhookHealth: describeWebhookHealth(recent, endpoints, { workers: workers.state }),
      recoveredWebhookEndpoints: await toEndpoints(context, recovered),
      expiringCredentialCount: expiring.length,
      failingWorkflows,
      workers: workers.state,
      workersSeenAt: workers.seenAt,
      workerProcesses: processes.map((one) => ({ ...one, silent: isSilent(one) })),
      failingWorkflowsUrl: temporalUi.failing(),
    };
  },

  endedWork: async ({ period, ...filter }, { sql }) => {
    const { now, since, before, counts } = await getEndedWork(sql, period, filter);
    return {
      since,
      before,
      counts: counts.map((each) => ({
        ...each,
        causeMessage: describeRefusal(each.cause),
        ...describeEnd(each.kind, each.outcome),
        rowsKept: areRowsKept(each.kind, each.at, now),
      })),
    };
  },

  expiringCredentials: async ({ withinDays }, { sql }) => await store.listExpiring(sql, withinDays),
} satisfies Partial<Queries>;
