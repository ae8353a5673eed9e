import type { DeliveryFailure } from '../basics/codes.ts';
import { readRetryAfter } from '../providers/answers.ts';
import type { Http } from '../providers/http.ts';
import { ProviderError } from '../providers/provider.ts';

/** The outcome of one try: the answer's status, or why there was none. */
export type WebhookAnswer =
  | { readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly failure: DeliveryFailure };

const TIMEOUT_MS = 15_000;

/**
 * Posts a signed event. Any answer is a result, also a redirect, which is not followed.
 * @throws ProviderError when `signal` aborts: then the outcome is unknown.
 */
export async function postWebhook(
  http: Pick<Http, 'post'>,
  { url, headers, body, signal }: { url: string; headers: Record<string, string>; body: string; signal: AbortSignal },
  now: () => Date,
  timeoutMs: number = TIMEOUT_MS,
): Promise<WebhookAnswer> {
  try {
    const answer = await http.post({
      where: 'Webhook',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal,
      timeoutMs,
    });
    return { status: answer.status, retryAfterSeconds: readRetryAfter(answer, now()).retryAfterSeconds ?? null };
  } catch (error) {
    if (signal.aborted || !(error instanceof ProviderError)) throw error;
    return { failure: classifyNetworkCode(error.networkCode ?? '') };
  }
}

const CODES: readonly (readonly [RegExp, DeliveryFailure])[] = [
  [/^(TIMEOUT|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'TIMEOUT'],
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|EBADRESP)$/, 'NAME_UNKNOWN'],
  [/^EGRESS_REFUSED$/, 'ADDRESS_REFUSED'],
  [/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO)/, 'TLS_FAILED'],
  [/^(HPE_|UND_ERR_HEADERS|UND_ERR_RES|TOO_MANY_HEADS)/, 'ANSWER_INVALID'],
];
const classifyNetworkCode = (code: string): DeliveryFailure =>
  CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'CONNECTION_FAILED';
