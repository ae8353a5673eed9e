import { createHmac } from 'node:crypto';
import type { Secret } from '../basics/secret.ts';

const PREFIX = 'whsec_';

/**
 * Signs a webhook as Standard Webhooks specifies: HMAC-SHA-256 over id, timestamp and body, once with each secret.
 * @param seconds since the epoch.
 * @returns the headers of the request.
 */
export function signWebhook(
  { id, seconds, body }: { id: string; seconds: number; body: string },
  secrets: readonly Secret[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const content = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', readKey(secret)).update(content).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}

const readKey = (secret: Secret): Buffer => Buffer.from(secret.reveal().slice(PREFIX.length), 'base64');
