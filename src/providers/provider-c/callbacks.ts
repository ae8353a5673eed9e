import { z } from 'zod';
import { wireId } from '../answers.ts';
import type { PlatformCallback, PlatformRequest } from '../facts.ts';
import { parseJson } from '../json.ts';
import { isFromFuture, isSignatureValid } from '../signature.ts';

/** Signature and payload, each base64url; padding is not sent, and taken if it is. */
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
 * Reads a form's `signed_request` (Meta, Data Deletion Request Callback). The signature is over the payload as it is
 * encoded, so nothing of it is decoded before that has been checked. An old one is taken: it is held against the grant's
 * own age, and to refuse it would leave a person's request unheard.
 */
function readSignedRequest({ body, secret, now }: PlatformRequest) {
  const [text, ...others] = new URLSearchParams(body.toString('utf8')).getAll('signed_request');
  const [, signature, payload] = SIGNED_REQUEST.exec(text ?? '') ?? [];
  if (signature === undefined || payload === undefined || others.length > 0) return undefined;
  if (!isSignatureValid(secret, Buffer.from(signature, 'base64url'), payload)) return undefined;
  const read = Payload.safeParse(parseJson(Buffer.from(payload, 'base64url').toString('utf8'))).data;
  if (read === undefined || isFromFuture(read.issued_at, now)) return undefined;
  return { accountId: read.user_id, happenedAt: read.issued_at };
}

/** The person has removed the app. */
export const deauthorizeCallback: PlatformCallback = {
  path: 'deauthorize',
  enteredAs: 'Deauthorize callback URL',
  read(request) {
    const read = readSignedRequest(request);
    return read && { kind: 'removal', ...read, byUs: false };
  },
};

/** The person wants their data deleted, and is given a page to see what has become of it. */
export const dataDeletionCallback: PlatformCallback = {
  path: 'data-deletion',
  enteredAs: 'Data deletion request URL',
  read(request) {
    const read = readSignedRequest(request);
    return read && { kind: 'deletion', ...read };
  },
  confirm: ({ code, url }) => ({ url, confirmation_code: code }),
};
