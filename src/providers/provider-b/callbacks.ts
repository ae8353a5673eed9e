import { z } from 'zod';
import { decodeUtf8 } from '../../basics/utf8.ts';
import type { PlatformCallback, PlatformNotice } from '../facts.ts';
import { parseJson } from '../json.ts';
import { isFromFuture, isSignatureValid } from '../signature.ts';
import type { Config } from './settings.ts';

/** `t=<unix seconds>,s=<lower-case hex>` (TikTok for Developers, Webhook verification). */
const SIGNATURE = /^t=(\d{1,11}),\s?s=([0-9a-f]{64})$/;

const stamp = z
  .number()
  .int()
  .nonnegative()
  .max(1e11)
  .transform((seconds) => new Date(seconds * 1000));
const Event = z.object({ client_key: z.string(), event: z.string() });
const Removed = z.object({ create_time: stamp, user_openid: z.string().min(1), content: z.string() });
const Content = z.object({ reason: z.number().int() });

/** The reason code for our own revoke (Webhooks events). Other codes mean the person or the platform ended the grant. */
const REVOKED_BY_US = 5;

/** Creates the callback for all events of an app. The client secret signs `t`, a dot and the raw body. */
export const createEventsCallback = (config: Config): PlatformCallback => ({
  path: 'events',
  enteredAs: 'Webhook callback URL',
  read({ body, header, clientId, secret, now }): PlatformNotice | undefined {
    const [, signedAt, hex] = SIGNATURE.exec(header('tiktok-signature') ?? '') ?? [];
    if (signedAt === undefined || hex === undefined) return undefined;
    if (!isSignatureValid(secret, Buffer.from(hex, 'hex'), `${signedAt}.`, body)) return undefined;
    const at = new Date(Number(signedAt) * 1000);
    const isOld = now.getTime() - at.getTime() > config.PROVIDER_B_EVENT_MAX_AGE_SECONDS * 1000;
    if (isOld || isFromFuture(at, now)) return undefined;
    const json = parseJson(decodeUtf8(body) ?? '');
    const event = Event.safeParse(json).data;
    if (event?.client_key !== clientId) return undefined;
    return event.event === 'authorization.removed' ? readRemoval(json, now) : { kind: 'unrelated' };
  },
});

function readRemoval(json: unknown, now: Date): PlatformNotice | undefined {
  const removed = Removed.safeParse(json).data;
  if (removed === undefined || isFromFuture(removed.create_time, now)) return undefined;
  // `content` is JSON inside a string. Without a readable reason the removal still counts, and the grant is verified.
  const content = Content.safeParse(parseJson(removed.content)).data;
  return {
    kind: 'removal',
    accountId: removed.user_openid,
    happenedAt: removed.create_time,
    byUs: content?.reason === REVOKED_BY_US,
  };
}
