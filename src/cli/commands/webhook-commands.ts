import { arg, type Command, commandsOf } from '../shape.ts';
import { dryRun, FAILURE, ofApp, once } from './parts.ts';

const ENDPOINT = `id appId appName url enabled disabledReason failingSince failures eventTypes createdAt
  secrets { id createdAt retiresAt }`;
const DELIVERY = `id status eventType occurredAt tries lastHttpStatus lastFailure { ${FAILURE} } nextRetryAt endpointId appId
  connectionId eventId`;
const TEST = `${DELIVERY} history { durationMs }`;
const endpoint = { endpoint: arg('id', 'ENDPOINT_ID') };
const delivery = { delivery: arg('id', 'DELIVERY_ID') };

interface Delivery {
  readonly status: string;
  readonly tries: number;
  readonly lastFailure: { readonly code: string; readonly message: string } | null;
  readonly nextRetryAt: string | null;
  readonly history: readonly { readonly durationMs: number | null }[];
}

const command = commandsOf('Webhooks');

/** Webhook endpoints and deliveries. */
export const WEBHOOK_COMMANDS: Readonly<Record<string, Command>> = {
  'webhook events': command('webhookEventTypes', 'List the types of events', {}, 'name description'),
  'webhook list': command('webhookEndpoints', "List an app's webhook endpoints", ofApp, ENDPOINT),
  'webhook troubled': command(
    'troubledWebhookEndpoints',
    'List the endpoints of all apps that are disabled or whose last try failed',
    {},
    ENDPOINT,
  ),
  'webhook show': command('webhookEndpoint', 'Show one webhook endpoint', endpoint, ENDPOINT),
  'webhook create': command(
    'createWebhookEndpoint',
    'Add a webhook endpoint to an app; this shows its secret once',
    {
      app: arg('input.appId', 'APP_ID'),
      url: arg('input.url', 'URL'),
      event: arg('input.eventTypes', 'TYPE'),
      ...once,
    },
    `endpoint { ${ENDPOINT} } secret`,
  ),
  'webhook change': command(
    'changeWebhookEndpoint',
    "Change an endpoint's URL or events",
    { ...endpoint, url: arg('url', 'URL'), event: arg('eventTypes', 'TYPE') },
    ENDPOINT,
  ),
  'webhook disable': command('disableWebhookEndpoint', 'Stop sending to an endpoint', endpoint, ENDPOINT),
  'webhook enable': command('enableWebhookEndpoint', 'Send to an endpoint again', endpoint, ENDPOINT),
  'webhook remove': command('removeWebhookEndpoint', 'Remove an endpoint and its secrets', endpoint, 'id name', {
    confirm: { of: ['endpoint'] },
  }),
  'webhook rotate-secret': command(
    'rotateWebhookSecret',
    'Add a second secret to an endpoint; this shows it once',
    { ...endpoint, 'idempotency-key': arg('idempotencyKey', 'KEY') },
    `endpoint { ${ENDPOINT} } secret`,
  ),
  'webhook retire-secret': command(
    'retireWebhookSecret',
    'End the use of a secret',
    { ...endpoint, secret: arg('secretId', 'SECRET_ID'), 'after-hours': arg('afterHours', 'HOURS') },
    ENDPOINT,
  ),
  'webhook test': command(
    'sendTestWebhook',
    'Send a test event to an endpoint, and wait until the endpoint has answered',
    endpoint,
    TEST,
    {
      show: ({ history, ...delivery }: Delivery) => ({ ...delivery, durationMs: history.at(-1)?.durationMs ?? null }),
      follow: {
        field: { name: 'webhookDelivery', select: TEST },
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
      },
    },
  ),
  'webhook deliveries': command(
    'webhookDeliveries',
    'List deliveries of the last 30 days, the newest event first',
    {
      app: arg('filter.appId', 'APP_ID'),
      endpoint: arg('filter.endpointId', 'ENDPOINT_ID'),
      status: arg('filter.status', 'STATUS'),
      event: arg('filter.eventType', 'TYPE'),
      connection: arg('filter.connectionId', 'CONNECTION_ID'),
      since: arg('filter.since', 'ISO_8601'),
    },
    DELIVERY,
  ),
  'webhook delivery': command(
    'webhookDelivery',
    'Show one delivery, its tries and its body',
    delivery,
    `${DELIVERY} history { at durationMs httpStatus failure { ${FAILURE} } } payload`,
  ),
  'webhook redeliver': command('redeliverWebhook', 'Send one event again', delivery, DELIVERY),
  'webhook redeliver-since': command(
    'redeliverWebhooks',
    'Send the undelivered events again that occurred since an instant; --all includes the delivered ones',
    { ...endpoint, since: arg('since', 'ISO_8601'), all: arg('failedOnly', undefined, { kind: 'unset' }), ...dryRun },
    'dryRun count continueAt',
  ),
};
