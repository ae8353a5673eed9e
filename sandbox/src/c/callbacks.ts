import { createHmac } from 'node:crypto';
import type { CallbackDelivery, Deliveries } from '../deliveries.ts';
import { toWireJson } from '../json.ts';
import type { SandboxAccount, SandboxClient } from '../model.ts';
import type { World } from '../world.ts';

/** Options of a callback, for tests. */
export interface CallbackOptions {
  /** `issued_at` in seconds since the epoch; now by default. */
  readonly createdAt?: number | undefined;
  readonly isForged?: boolean | undefined;
  readonly withMetaSecret?: boolean | undefined;
  readonly names?: 'appScopedId' | 'userId' | undefined;
  readonly asNumber?: boolean | undefined;
  readonly algorithm?: string | undefined;
}

/** PROVIDER_C's two callbacks: a form with a `signed_request`. */
export class Callbacks {
  readonly #world: World;
  readonly #deliveries: Deliveries;

  constructor(world: World, deliveries: Deliveries) {
    this.#world = world;
    this.#deliveries = deliveries;
  }

  send(
    kind: 'deauthorize' | 'dataDeletion',
    client: SandboxClient,
    account: SandboxAccount,
    twist: CallbackOptions = {},
  ): Promise<CallbackDelivery> | null {
    const url = kind === 'deauthorize' ? client.webhookUrl : client.dataDeletionUrl;
    if (url === null) return null;
    const id = twist.names === 'userId' ? account.id : account.principal;
    const payload = toWireJson({
      algorithm: twist.algorithm ?? 'HMAC-SHA256',
      issued_at: twist.createdAt ?? Math.floor(this.#world.clock.now() / 1000),
      user_id: twist.asNumber ? BigInt(id) : id,
    });
    const secret = twist.withMetaSecret ? (client.metaSecret ?? client.clientSecret) : client.clientSecret;
    const signed = sign(payload, twist.isForged ? 'not-the-secret' : secret);
    const body = new URLSearchParams({ signed_request: signed }).toString();
    return this.#deliveries.send(kind, url, 'application/x-www-form-urlencoded', body);
  }
}

/** `base64url(signature).base64url(payload)`. The signature covers the encoded payload. */
function sign(payload: string, secret: string): string {
  const encoded = Buffer.from(payload).toString('base64url');
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`;
}
