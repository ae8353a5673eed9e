import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const secretOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
export const SECRET = secretOf('a secret of 24 bytes....');
export const OTHER_SECRET = secretOf('another one of 24 bytes.');

/** A webhook, signed by Standard Webhooks' own library. */
export function signWebhook(event: object, { secret = SECRET, ageSeconds = 0 } = {}) {
  const id = `msg_${randomUUID()}`;
  const at = new Date(Date.now() - ageSeconds * 1000);
  const body = JSON.stringify({ timestamp: at.toISOString(), ...event });
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return { method: 'POST', headers, body };
}
