import { createHmac } from 'node:crypto';
import type { CallbackDelivery, Deliveries } from '../deliveries.ts';
import type { CallbackOptions } from '../emulation.ts';
import type { SandboxClient } from '../model.ts';
import type { World } from '../world.ts';

/** PROVIDER_B's webhook events, signed as the platform does: HMAC-SHA256 over `t`, a dot, and the raw body. */
export class WebhookEvents {
  readonly #world: World;
  readonly #deliveries: Deliveries;

  constructor(world: World, deliveries: Deliveries) {
    this.#world = world;
    this.#deliveries = deliveries;
  }

  /** Reasons: 1 removed by the person, 2 account deleted, 3 age changed, 4 banned, 5 revoked by the developer. */
  authorizationRemoved(
    client: SandboxClient,
    openId: string,
    reason: number,
    twist: CallbackOptions = {},
  ): Promise<CallbackDelivery> | null {
    if (client.webhookUrl === null) return null;
    const now = Math.floor(this.#world.clock.now() / 1000);
    const body = JSON.stringify({
      client_key: client.clientId,
      event: 'authorization.removed',
      create_time: twist.createdAt ?? now,
      user_openid: openId,
      content: JSON.stringify({ reason }),
    });
    const signedAt = twist.signedAt ?? now;
    const secret = twist.isForged ? 'not-the-secret' : client.clientSecret;
    const signature = createHmac('sha256', secret).update(`${signedAt}.${body}`).digest('hex');
    const headers = { 'tiktok-signature': `t=${signedAt},s=${signature}` };
    return this.#deliveries.send('authorization.removed', client.webhookUrl, 'application/json', body, headers);
  }
}
