import { createHmac } from 'node:crypto';
import type { Deliveries } from '../deliveries.ts';
import type { SendCallback } from '../emulation.ts';
import { toWireJson } from '../json.ts';
import type { World } from '../world.ts';

/** PROVIDER_C's two callbacks: a form with a `signed_request`. */
export const createCallbacks =
  (world: World, deliveries: Deliveries): SendCallback =>
  (kind, client, account, twist = {}) => {
    const url = kind === 'deauthorize' ? client.webhookUrl : client.dataDeletionUrl;
    if (url === null) return null;
    const id = twist.names === 'userId' ? account.id : account.principal;
    const payload = toWireJson({
      algorithm: twist.algorithm ?? 'HMAC-SHA256',
      issued_at: twist.createdAt ?? Math.floor(world.clock.now() / 1000),
      user_id: twist.asNumber ? BigInt(id) : id,
    });
    const secret = twist.withMetaSecret ? (client.metaSecret ?? client.clientSecret) : client.clientSecret;
    const signed = sign(payload, twist.isForged ? 'not-the-secret' : secret);
    const body = new URLSearchParams({ signed_request: signed }).toString();
    return deliveries.send(kind, url, 'application/x-www-form-urlencoded', body);
  };

/** `base64url(signature).base64url(payload)`. The signature covers the encoded payload. */
function sign(payload: string, secret: string): string {
  const encoded = Buffer.from(payload).toString('base64url');
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`;
}
