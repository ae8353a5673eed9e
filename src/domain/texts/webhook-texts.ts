import type { DeliveryFailure, WebhookEventType } from '../../basics/codes.ts';
import type { WebhookDelivery } from '../../store/webhooks/webhook-deliveries.ts';
import type { Failure } from './failure-messages.ts';

/** The occasion of each type of event, for the person who chooses them. */
export const EVENT_DESCRIPTIONS: Readonly<Record<WebhookEventType, string>> = {
  'connect_session.finished': 'An attempt to connect ended: it completed, failed, was denied or canceled, or expired.',
  'identity_session.finished': 'A sign-in ended: it completed, failed, was denied, or expired.',
  'connection.connected': 'An account was connected or reconnected.',
  'connection.reconnect_required': 'The grant ended or expired. Only the person can connect the account again.',
  'connection.suspended': 'Reads of the connection are refused for a while.',
  'connection.resumed': 'Reads of the connection work again.',
  'connection.disconnected': 'Access was cut. The revoke and the erase have begun.',
  'connection.erased': 'The last data of the connection was erased.',
  'job.finished': 'A scan, a metrics refresh or a lookup ended.',
  'receipt.settled': 'The revoke or the erase of a disconnect ended.',
  'content.changed': 'A read found new, changed or missing posts.',
};

/** Explains to the person on call why a try was not accepted. */
const FAILURES: Readonly<Record<DeliveryFailure, string>> = {
  TIMEOUT: 'The endpoint did not answer within 15 seconds.',
  NAME_UNKNOWN: 'The name of the host does not resolve.',
  ADDRESS_REFUSED: 'The host has an address that is not public, and no configured network contains it.',
  CONNECTION_FAILED: 'The endpoint refused the connection or closed it.',
  TLS_FAILED: 'The certificate of the endpoint is not valid.',
  ANSWER_INVALID: 'The endpoint sent an answer that is not HTTP.',
  NO_SECRET: 'The endpoint has no secret that can be opened.',
};

/** @returns null if the last try succeeded, or there was none. */
export function describeDeliveryFailure({
  lastHttpStatus,
  lastFailure,
}: Pick<WebhookDelivery, 'lastHttpStatus' | 'lastFailure'>): Failure | null {
  if (lastFailure !== null) return { code: lastFailure, message: FAILURES[lastFailure] };
  if (lastHttpStatus === null || (lastHttpStatus >= 200 && lastHttpStatus < 300)) return null;
  return { code: `HTTP_${lastHttpStatus}`, message: describeStatus(lastHttpStatus) };
}

/** @param code of a failed try: a name, or `HTTP_` and the status of the answer. */
export function describeFailureCode(code: string): string {
  const [, status] = /^HTTP_(\d+)$/.exec(code) ?? [];
  if (status !== undefined) return describeStatus(Number(status));
  return FAILURES[code as DeliveryFailure] ?? 'An unknown failure.';
}

function describeStatus(status: number): string {
  if (status === 410) return 'The endpoint answered 410 Gone, so the service disabled it.';
  if (status === 429 || status === 503)
    return `The endpoint answered ${status}: it takes no more events at the moment.`;
  if (status >= 300 && status < 400) return `The endpoint answered ${status}. The service follows no redirect.`;
  return `The endpoint answered ${status}. It must answer 200 to 299.`;
}
