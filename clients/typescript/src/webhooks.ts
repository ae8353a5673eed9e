import { WebhookVerificationError } from './errors.js';
import type { WebhookEvent } from './generated/webhook-events.js';

export interface WebhookRequest {
  /** The headers of the request, as a `Headers` object or as Node's `request.headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as it arrived, before any parsing. */
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** How many seconds the timestamp may differ from your clock. 300 by default. */
  readonly toleranceSeconds?: number;
  /** Your clock, in milliseconds. `Date.now()` by default. */
  readonly nowMs?: number;
}

const SECRET_PREFIX = 'whsec_';
/** A sender signs once for each active secret. More entries are an attempt to waste our time. */
const MAX_ENTRIES = 10;
/** Version 1: 32 bytes in base64. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/**
 * Verifies a webhook request after the Standard Webhooks specification (HMAC-SHA-256 over id, timestamp and body) and returns
 * its event. Pass both secrets while you rotate them. A `switch` over `event.type` narrows the type of `event.data`.
 * @param secrets one `whsec_` secret or several
 * @throws WebhookVerificationError a header is missing, no signature fits, there are more than 10 of them, the timestamp is too
 * old or too new, or the body is not an event
 */
export async function verifyWebhook(
  { headers, body }: WebhookRequest,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = getHeader(headers, 'webhook-id');
  const timestamp = getHeader(headers, 'webhook-timestamp');
  checkAge(timestamp, options);
  const signatures = readSignatures(getHeader(headers, 'webhook-signature'));
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), content);
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const expected = await sign(secret, signed); // Once for each secret, regardless of the number of signatures.
    if (signatures.some((signature) => isEqual(signature, expected))) return parse(content);
  }
  throw new WebhookVerificationError('No signature of the webhook fits a secret.');
}

function getHeader(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}

function checkAge(timestamp: string, { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The timestamp is not a number of seconds.');
  const ageSeconds = nowMs / 1_000 - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('The webhook is too old.');
  if (ageSeconds < -toleranceSeconds) throw new WebhookVerificationError('The webhook is from the future.');
}

/** The signatures of our version, in base64. Entries of other versions are not ours to judge. */
function readSignatures(header: string): readonly string[] {
  const entries = header.split(' ', MAX_ENTRIES + 1);
  if (entries.length > MAX_ENTRIES) {
    throw new WebhookVerificationError(`The header webhook-signature has more than ${MAX_ENTRIES} entries.`);
  }
  const signatures = entries.flatMap((entry) => SIGNATURE.exec(entry)?.[1] ?? []);
  if (signatures.length === 0) {
    throw new WebhookVerificationError('The header webhook-signature has no signature of the form v1,<base64>.');
  }
  return signatures;
}

async function sign(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await importKey(secret), signed);
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

/** Takes the same time wherever they differ. Both have the length of a signature. */
function isEqual(first: string, second: string): boolean {
  let difference = first.length ^ second.length;
  for (let index = 0; index < second.length; index += 1) {
    difference |= first.charCodeAt(index) ^ second.charCodeAt(index);
  }
  return difference === 0;
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError('A webhook secret is whsec_ followed by base64.'); // A mistake in the program, not of the sender.
  }
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The signature proves who wrote the body, so only its form is checked. */
function parse(content: Uint8Array): WebhookEvent {
  const event = parseJson(content);
  if (!isObject(event) || typeof event.type !== 'string' || !isObject(event.data)) {
    throw new WebhookVerificationError('The body of the webhook is not an event.');
  }
  return event as unknown as WebhookEvent;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parseJson(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    throw new WebhookVerificationError('The body of the webhook is not JSON.');
  }
}
