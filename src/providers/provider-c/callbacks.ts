import { z } from 'zod';
import { decodeUtf8 } from '../../basics/utf8.ts';
import { wireId } from '../answers.ts';
import type { PlatformCallback, PlatformRequest } from '../facts.ts';
import { parseJson } from '../json.ts';
import { isFromFuture, isSignatureValid } from '../signature.ts';

/** Signature and payload in base64url. Padding is optional; Meta sends none. */
const SIGNED_REQUEST = /^([A-Za-z0-9_-]+)={0,2}\.([A-Za-z0-9_-]+={0,2})$/;

const Payload = z.object({
  algorithm: z.literal('HMAC-SHA256'),
  issued_at: z
    .number()
    .int()
    .nonnegative()
    .max(1e11)
    .transform((seconds) => new Date(seconds * 1000)),
  user_id: wireId,
});

/**
 * Reads a form's `signed_request` (Meta, Data Deletion Request Callback). The signature covers the encoded payload, so we
 * verify it before we decode the payload. Old requests are accepted, so that no person's request is lost; the caller
 * compares their time with the grant's.
 */
function readSignedRequest({ body, secret, now }: PlatformRequest) {
  const [text, ...others] = new URLSearchParams(decodeUtf8(body)).getAll('signed_request');
  const [, signature, payload] = SIGNED_REQUEST.exec(text ?? '') ?? [];
  if (signature === undefined || payload === undefined || others.length > 0) return undefined;
  if (!isSignatureValid(secret, Buffer.from(signature, 'base64url'), payload)) return undefined;
  const read = Payload.safeParse(parseJson(decodeUtf8(Buffer.from(payload, 'base64url')) ?? '')).data;
  if (read === undefined || isFromFuture(read.issued_at, now)) return undefined;
  return { accountId: read.user_id, happenedAt: read.issued_at };
}

/** Meta calls this when the person removes the app. */
export const deauthorizeCallback: PlatformCallback = {
  path: 'deauthorize',
  enteredAs: 'Deauthorize callback URL',
  read(request) {
    const read = readSignedRequest(request);
    return read && { kind: 'removal', ...read, byUs: false };
  },
};

/** Meta calls this when the person asks for deletion of their data, and shows them the status page that we return. */
export const dataDeletionCallback: PlatformCallback = {
  path: 'data-deletion',
  enteredAs: 'Data deletion request URL',
  read(request) {
    const read = readSignedRequest(request);
    return read && { kind: 'deletion', ...read };
  },
  confirm: ({ code, url }) => ({ url, confirmation_code: code }),
};
