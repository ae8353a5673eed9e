import { may, mayList, mayNumber, need, type RemoteCommand } from '../shape.ts';
import { FAILURE, ID, mutationsOf, ofApp, once, PAGE, paged, queriesOf } from './parts.ts';

const ENDPOINT = `id appId appName url enabled disabledReason failingSince failures eventTypes createdAt
  secrets { id createdAt retiresAt }`;
const DELIVERY = `id status eventType occurredAt tries lastHttpStatus lastFailure { ${FAILURE} } nextTryAt endpointId appId
  connectionId eventId`;
const endpoint = { endpoint: need('id', 'ENDPOINT_ID') };
const delivery = { delivery: need('id', 'DELIVERY_ID') };

const query = queriesOf('Webhooks');
const mutate = mutationsOf('Webhooks');

/** Webhook endpoints and deliveries. */
export const WEBHOOK_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  'webhook events': query('webhookEventTypes', 'List the types of events', {}, {}, 'name description'),
  'webhook list': query('webhookEndpoints', "List an app's webhook endpoints", ofApp, { appId: 'ID!' }, ENDPOINT),
  'webhook troubled': query(
    'troubledWebhookEndpoints',
    'List the endpoints of all apps that are disabled or whose last try failed',
    {},
    PAGE,
    paged(ENDPOINT),
    { isPaged: true },
  ),
  'webhook show': query('webhookEndpoint', 'Show one webhook endpoint', endpoint, ID, ENDPOINT),
  'webhook create': mutate(
    'createWebhookEndpoint',
    'Add a webhook endpoint to an app; this shows its secret once',
    {
      app: need('input.appId', 'APP_ID'),
      url: need('input.url', 'URL'),
      event: mayList('input.eventTypes', 'TYPE'),
      ...once,
    },
    { input: 'CreateWebhookEndpointInput!' },
    `endpoint { ${ENDPOINT} } secret`,
  ),
  'webhook change': mutate(
    'changeWebhookEndpoint',
    "Change an endpoint's URL or events",
    { ...endpoint, url: may('url', 'URL'), event: mayList('eventTypes', 'TYPE') },
    { id: 'ID!', url: 'String', eventTypes: '[String!]' },
    ENDPOINT,
  ),
  'webhook disable': mutate('disableWebhookEndpoint', 'Stop sending to an endpoint', endpoint, ID, ENDPOINT),
  'webhook enable': mutate('enableWebhookEndpoint', 'Send to an endpoint again', endpoint, ID, ENDPOINT),
  'webhook remove': mutate('removeWebhookEndpoint', 'Remove an endpoint and its secrets', endpoint, ID, 'id name', {
    confirm: { of: ['endpoint'] },
  }),
  'webhook rotate-secret': mutate(
    'rotateWebhookSecret',
    'Add a second secret to an endpoint; this shows it once',
    { ...endpoint, 'idempotency-key': may('idempotencyKey', 'KEY') },
    { id: 'ID!', idempotencyKey: 'String' },
    `endpoint { ${ENDPOINT} } secret`,
  ),
  'webhook retire-secret': mutate(
    'retireWebhookSecret',
    'End the use of a secret',
    { ...endpoint, secret: need('secretId', 'SECRET_ID'), 'after-hours': mayNumber('afterHours', 'HOURS') },
    { id: 'ID!', secretId: 'ID!', afterHours: 'Int' },
    ENDPOINT,
  ),
  'webhook test': mutate('sendTestWebhook', 'Send a test event to an endpoint', endpoint, ID, DELIVERY),
  'webhook deliveries': query(
    'webhookDeliveries',
    'List deliveries of the last 30 days, the newest event first',
    {
      app: may('filter.appId', 'APP_ID'),
      endpoint: may('filter.endpointId', 'ENDPOINT_ID'),
      status: may('filter.status', 'STATUS', ['PENDING', 'DELIVERED', 'FAILED']),
      event: may('filter.eventType', 'TYPE'),
      connection: may('filter.connectionId', 'CONNECTION_ID'),
      since: may('filter.since', 'ISO_8601'),
    },
    { filter: 'WebhookDeliveryFilter', ...PAGE },
    paged(DELIVERY),
    { isPaged: true },
  ),
  'webhook delivery': query('webhookDelivery', 'Show one delivery', delivery, ID, DELIVERY),
  'webhook redeliver': mutate('redeliverWebhook', 'Send one event again', delivery, ID, DELIVERY),
  'webhook redeliver-since': mutate(
    'redeliverWebhooks',
    'Send the failed events again that occurred since an instant',
    { ...endpoint, since: need('since', 'ISO_8601') },
    { id: 'ID!', since: 'DateTime!', failedOnly: 'Boolean' },
    'count continueAt',
  ),
};
