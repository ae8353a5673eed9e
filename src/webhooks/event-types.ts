/** The events that an app can be told. A leaf: tables, pages and documents name them by this list. */
export const WEBHOOK_EVENT_TYPES = [
  'connect_session.finished',
  'identity_session.finished',
  'connection.connected',
  'connection.reconnect_required',
  'connection.suspended',
  'connection.resumed',
  'connection.disconnected',
  'connection.erased',
  'job.finished',
  'receipt.settled',
  'content.changed',
] as const;
/** An event that an endpoint can ask for. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Sent when an operator asks for it, to any endpoint. */
export const WEBHOOK_TEST = 'webhook.test';
/** Sent after a fail-over to an endpoint that was told of something that is lost, whatever it asked for. */
export const WEBHOOK_CORRECTION = 'connection.corrected';
export const SENT_EVENT_TYPES = [...WEBHOOK_EVENT_TYPES, WEBHOOK_CORRECTION, WEBHOOK_TEST] as const;
export type SentEventType = (typeof SENT_EVENT_TYPES)[number];

/** Days for which events and deliveries are kept. */
export const WEBHOOK_RETENTION_DAYS = 30;
