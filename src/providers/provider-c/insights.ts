import { isTemporary } from '../../basics/failures.ts';
import { createFailure, readAnswer } from '../answers.ts';
import { createMetric, createNotGrantedMetric, type MissingReason } from '../metric.ts';
import { type Access, type Call, type Metric, ProviderError } from '../provider.ts';
import { callProviderCApi, requireGoodAnswer } from './api.ts';
import { findGraphError, findProviderCApiError, isBadParameter } from './errors.ts';
import { MANAGE_INSIGHTS } from './facts.ts';
import type { AdapterDeps } from './settings.ts';
import { InsightsAnswer, type Media } from './wire.ts';

const METRICS = { views: 'VIEWS', shares: 'SHARES' } as const;
type Name = keyof typeof METRICS;
const NAMES: readonly Name[] = ['views', 'shares'];

/** Number of concurrent calls. Each post takes one call. */
const CONCURRENCY = 5;

/** One refusal may be about one odd post. */
const REFUSALS = 2;

const BEFORE_PROFESSIONAL_ACCOUNT = 2108006;
const TOO_FEW_VIEWERS = /not enough viewers/i;

/** On a temporary failure, `all` throws. `partial` returns the posts read so far, if there is at least one. */
export type Extent = 'all' | 'partial';

/**
 * Reads VIEWS and SHARES of each post, in this order. A post without a number never fails the others. A metric that the platform
 * refused for two posts of a kind, and gave for none, is not requested for the next ones, because one refusal costs two more calls.
 */
export async function readInsights(
  deps: AdapterDeps,
  access: Access,
  media: readonly Pick<Media, 'id' | 'media_type'>[],
  call: Call,
  extent: Extent,
): Promise<Metric[][]> {
  let isGranted = access.permissions.includes(MANAGE_INSIGHTS);
  const refusals = new Map<string, number>();
  const isOffered = (name: Name, kind: string | null) => (refusals.get(`${name} of ${kind}`) ?? 0) < REFUSALS;
  const results: Metric[][] = [];
  for (let start = 0; start < media.length; start += CONCURRENCY) {
    const batch = media.slice(start, start + CONCURRENCY).map(async ({ id, media_type: kind }) => {
      if (!isGranted) return 'notGranted';
      const names = NAMES.filter((name) => isOffered(name, kind));
      const read = names.length === 0 ? [] : await readPost(deps, access, id, names, call);
      if (read === 'notGranted') return read;
      const metrics = NAMES.map((name) => findMetric(read, name) ?? createMissing(name, NOT_OFFERED));
      for (const name of names) {
        const isRefusal = findMetric(metrics, name)?.reason === NOT_OFFERED;
        const counted = refusals.get(`${name} of ${kind}`) ?? 0;
        refusals.set(`${name} of ${kind}`, isRefusal ? counted + 1 : Number.NEGATIVE_INFINITY);
      }
      return metrics;
    });
    // `allSettled`, so that no call is still running when the first failure is thrown.
    const outcomes = await Promise.allSettled(batch);
    // The person withdrew it: the next batch sends no calls. One post alone may only be an odd one.
    if (outcomes.filter(isRefused).length > 1) isGranted = false;
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') results.push(toMetrics(outcome.value, isGranted));
      else if (extent === 'all' || results.length === 0 || !mayPass(outcome.reason)) throw outcome.reason;
      else return results;
    }
  }
  return results;
}

const NOT_OFFERED = 'NOT_OFFERED_FOR_POST';
const findMetric = (metrics: readonly Metric[], name: Name) => metrics.find((metric) => metric.name === METRICS[name]);
const createMissing = (name: Name, reason: MissingReason) =>
  createMetric(METRICS[name], sourceField(name), null, reason);

const isRefused = (outcome: PromiseSettledResult<Metric[] | 'notGranted'>) =>
  outcome.status === 'fulfilled' && outcome.value === 'notGranted';

const toMetrics = (read: Metric[] | 'notGranted', isGranted: boolean): Metric[] => {
  if (read !== 'notGranted') return read;
  return NAMES.map((name) =>
    isGranted
      ? createMetric(METRICS[name], sourceField(name), null, 'NOT_SHOWN')
      : createNotGrantedMetric(METRICS[name], sourceField(name)),
  );
};

const mayPass = (error: unknown) => error instanceof ProviderError && isTemporary(error.type);

const sourceField = (name: Name) => `insights.${name}`;

async function readPost(
  deps: AdapterDeps,
  access: Access,
  mediaId: string,
  names: readonly Name[],
  call: Call,
): Promise<Metric[] | 'notGranted'> {
  const where = 'PROVIDER_C insights';
  const missing = (reason: MissingReason) => names.map((name) => createMissing(name, reason));
  const path = `/${encodeURIComponent(mediaId)}/insights`;
  const query = { metric: names.join(',') };
  const answer = await callProviderCApi(deps, { where, path, query, accessToken: access.accessToken }, call);

  const error = findGraphError(answer);
  if (error?.error_subcode === BEFORE_PROFESSIONAL_ACCOUNT) return missing('BEFORE_PROFESSIONAL_ACCOUNT');
  if (error?.code === 10 && TOO_FEW_VIEWERS.test(error.message)) return missing('TOO_FEW_VIEWERS');
  if (isBadParameter(error)) {
    // One unsupported metric fails the whole call.
    return names.length === 1 ? missing(NOT_OFFERED) : await readOneByOne(deps, access, mediaId, names, call);
  }
  const failed = findProviderCApiError(answer, where, deps.now());
  if (failed?.type === 'PermissionMissing') return 'notGranted';
  if (failed?.type === 'NotFound') return missing('NOT_SHOWN');

  const { data } = readAnswer(InsightsAnswer, requireGoodAnswer(deps, answer, where).json, {
    where,
    status: answer.status,
  });
  const isOfAnother = ({ id }: (typeof data)[number]) => id?.includes('/insights/') && !id.startsWith(`${mediaId}/`);
  if (data.some(isOfAnother)) throw createFailure('AccountMismatch', where, { status: answer.status });
  return names.map((name) => {
    const value = data.find((insight) => insight.name === name)?.value ?? null;
    return createMetric(METRICS[name], sourceField(name), value, 'NO_DATA_YET');
  });
}

async function readOneByOne(
  deps: AdapterDeps,
  access: Access,
  mediaId: string,
  names: readonly Name[],
  call: Call,
): Promise<Metric[] | 'notGranted'> {
  const all: Metric[] = [];
  for (const name of names) {
    const read = await readPost(deps, access, mediaId, [name], call);
    if (read === 'notGranted') return read;
    all.push(...read);
  }
  return all;
}
