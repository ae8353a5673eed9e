import { z } from 'zod';
import type { PlatformCallback } from '../facts.ts';
import { parseJson } from '../json.ts';
import { isFromFuture, isSignatureValid } from '../signature.ts';
import type { Config } from './settings.ts';

const Gone = z.object({ client: z.string(), tile: z.string().min(1), at: z.iso.datetime() });

/** The client secret signs the raw body. */
export const createGoneCallback = (config: Config): PlatformCallback => ({
  path: 'gone',
  enteredAs: 'Goodbye URL',
  read({ body, header, clientId, secret, now }) {
    const hex = /^sha256=([0-9a-f]{64})$/.exec(header('mosaic-signature') ?? '')?.[1];
    if (hex === undefined || !isSignatureValid(secret, Buffer.from(hex, 'hex'), body)) return undefined;
    const gone = Gone.safeParse(parseJson(body.toString('utf8'))).data;
    if (gone?.client !== clientId) return undefined;
    const happenedAt = new Date(gone.at);
    const isOld = now.getTime() - happenedAt.getTime() > config.PROVIDER_D_CALLBACK_MAX_AGE_SECONDS * 1000;
    if (isOld || isFromFuture(happenedAt, now)) return undefined;
    return { kind: 'removal', accountId: gone.tile, happenedAt, byUs: false };
  },
});
