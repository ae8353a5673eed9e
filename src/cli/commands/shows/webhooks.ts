import type { Follow } from '../../shape.ts';
import { cut, type Failure, formatDistance, formatNext, formatSecond, hostOf } from './format.ts';

interface Endpoint {
  readonly id: string;
  readonly appName: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly disabledAt: string | null;
  readonly failingSince: string | null;
  readonly failures: number;
  readonly lastAnswer: string | null;
}

const stateOf = ({ enabled, disabledReason, failingSince }: Endpoint) => {
  if (!enabled) return `off: ${disabledReason ?? '-'}`;
  return failingSince === null ? 'works' : 'failing';
};

export const briefEndpoint = (endpoint: Endpoint) => ({
  id: endpoint.id,
  app: cut(endpoint.appName, 12),
  host: cut(hostOf(endpoint.url), 18),
  state: stateOf(endpoint),
  for: formatDistance(endpoint.failingSince ?? endpoint.disabledAt) || '-',
  tries: endpoint.failures,
  answer: cut(endpoint.lastAnswer ?? '-', 17),
});

interface ListedDelivery {
  readonly id: string;
  readonly status: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly tries: number;
  readonly lastHttpStatus: number | null;
  readonly lastFailure: Failure | null;
  readonly nextRetryAt: string | null;
  readonly waitsForEndpoint: boolean;
}

/** `endpoint` as the next try: it waits for its endpoint, which is paused or disabled. */
export const briefDelivery = ({ lastFailure, lastHttpStatus, ...delivery }: ListedDelivery) => ({
  id: delivery.id,
  status: delivery.status,
  event: cut(delivery.eventType, 22),
  occurred: formatSecond(delivery.occurredAt).slice(5, 16),
  tries: delivery.tries,
  answer: cut(lastFailure?.code ?? (lastHttpStatus === null ? '-' : `HTTP_${lastHttpStatus}`), 15),
  next: delivery.waitsForEndpoint ? 'endpoint' : formatNext(delivery.nextRetryAt),
});

interface Delivery {
  readonly status: string;
  readonly tries: number;
  readonly lastFailure: { readonly code: string; readonly message: string } | null;
  readonly nextRetryAt: string | null;
  readonly history: readonly { readonly durationMs: number | null }[];
}

export const showTest = ({ history, ...delivery }: Delivery) => ({
  ...delivery,
  durationMs: history.at(-1)?.durationMs ?? null,
});

/** Waits for the first try. */
export const followTest = (select: string): Follow => ({
  field: { name: 'webhookDelivery', select },
  seconds: 20,
  // A try counts from its start, so `tries` does not show that one has ended.
  isKnown: ({ status, lastFailure }: Delivery) => status !== 'PENDING' || lastFailure !== null,
  findFault: ({ status, tries, lastFailure, nextRetryAt }: Delivery) => {
    if (status === 'DELIVERED') return undefined;
    if (tries === 0) return 'Nothing has tried to deliver it within 20 seconds. See whether a worker runs.';
    if (lastFailure === null) return 'A worker has sent it. The endpoint has not answered within 20 seconds.';
    const next = nextRetryAt === null ? '' : ` The next try is at ${nextRetryAt}.`;
    return `The endpoint has not taken it. ${lastFailure.code}: ${lastFailure.message}${next}`;
  },
});
