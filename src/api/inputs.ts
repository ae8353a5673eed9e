import { z } from 'zod';
import { PROVIDER_NAMES } from '../basics/codes.ts';
import { badInput } from '../basics/errors.ts';
import { type AttemptId, asId, type ConnectionId, type JobId } from '../basics/ids.ts';
import { cleanPastedUrl } from '../basics/pasted-url.ts';
import { atMost, capabilityList, isUrl, text, textOf } from '../domain/rules/input-rules.ts';

/**
 * Checks arguments against the rules that a GraphQL schema cannot express.
 * @throws ServiceError `BAD_USER_INPUT` that names the first invalid argument, never its value.
 */
export function parseArgs<Schema extends z.ZodType>(schema: Schema, args: unknown): z.output<Schema> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badInput(issue?.path.join('.') || 'The input', issue?.message ?? 'is not valid');
}

/** One half of a scope. */
const scopePart = textOf(128);

/** A string that is not a UUID becomes undefined, and is answered like an unknown id. */
const connectionId = z.string().transform((id) => asId<ConnectionId>(id));
const attemptId = z.string().transform((id) => asId<AttemptId>(id));
const jobId = z.string().transform((id) => asId<JobId>(id));

const MAX_SPAN_MS = 90 * 24 * 60 * 60 * 1000;

interface Span {
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
}

const isOrdered = (span: Span) => span.publishedAfter < span.publishedBefore;
const isShort = (span: Span) => span.publishedBefore.getTime() - span.publishedAfter.getTime() <= MAX_SPAN_MS;
const ORDERED = { error: 'must be after publishedAfter', path: ['publishedBefore'] };
const SHORT = { error: 'must be at most 90 days after publishedAfter', path: ['publishedBefore'] };

const count = (limit: number) => {
  const fault = `must be 1 to ${limit}`;
  return z.int().min(1, fault).max(limit, fault);
};
/** GraphQL replaces an omitted argument by its default. This also replaces an explicit null. */
const orDefault = (schema: z.ZodType<number>, value: number) => schema.nullish().transform((given) => given ?? value);
export const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((given) => given ?? null);

const span = { publishedAfter: z.date(), publishedBefore: z.date() };
const contentWindow = z
  .object({ ...span, first: count(50), after: orNull(z.string()) })
  .refine(isOrdered, ORDERED)
  .refine(isShort, SHORT);
const syncWindow = z
  .object({ ...span, maxItems: orDefault(count(100), 100) })
  .refine(isOrdered, ORDERED)
  .refine(isShort, SHORT);

/** Refuses only URLs that can never be registered. Later the URL is compared with the registered ones. */
const returnUrl = text
  .refine((url) => atMost(url, 2_000), { error: 'must be at most 2000 characters', abort: true })
  .refine((url) => !url.includes('#'), 'must have no fragment')
  .refine(hasNoReservedParameter, 'must have no query parameter beginning with ss_');

function hasNoReservedParameter(url: string): boolean {
  const names = isUrl(url) ? [...new URL(url).searchParams.keys()] : [];
  return !names.some((name) => name.startsWith('ss_'));
}

/** Matches the text itself, because a parsed URL hides an empty fragment, empty credentials and a default port. */
const BARE_HTTPS = /^https:\/\/[^\s\p{Cc}/?#@:\\]+([/?][^\s\p{Cc}#\\]*)?$/iu;
const lookupUrl = text
  .refine((url) => atMost(url, 2_048), { error: 'must be at most 2048 characters', abort: true })
  .transform(cleanPastedUrl)
  .refine((url) => BARE_HTTPS.test(url) && isUrl(url), 'must be an https URL without credentials, port or fragment')
  .transform((url) => new URL(url).href);

const scope = z.object({ tenantKey: scopePart, externalSubjectId: scopePart });
const provider = z.enum(PROVIDER_NAMES);
const capabilities = capabilityList.min(1, 'must name at least one');

export const ConnectSessionResultArgs = z.object({ scope, id: attemptId });
export const ConnectionArgs = z.object({ scope, id: connectionId });
export const ConnectionsArgs = z.object({ scope, first: orDefault(count(100), 20), after: orNull(z.string()) });
export const ContentArgs = z.object({ scope, connectionId, window: contentWindow });
export const ContentItemArgs = z.object({ scope, connectionId, providerContentId: text });
export const SyncJobArgs = z.object({ scope, connectionId, id: jobId });

export const CreateConnectSessionArgs = z.object({
  input: z.object({
    scope,
    provider,
    capabilities,
    returnUrl,
    /** Null if omitted; undefined if the id cannot be one of ours. */
    reconnectConnectionId: orNull(z.string()).transform((id) => (id === null ? null : asId<ConnectionId>(id))),
  }),
});
export const CreateIdpIdentitySessionArgs = z.object({ input: z.object({ tenantKey: scopePart, returnUrl: text }) });
export const RedeemIdpIdentityResultArgs = z.object({ id: attemptId, tenantKey: scopePart, resultProof: z.string() });
export const DisconnectConnectionArgs = z.object({ scope, connectionId });
export const RequestContentLookupArgs = z.object({ scope, connectionId, url: lookupUrl });

/** Either a post to refresh, or a window or cursor to scan. */
export const RequestRefreshArgs = z
  .object({
    scope,
    connectionId,
    providerContentId: orNull(text),
    window: orNull(syncWindow),
    continuationCursor: orNull(z.string()),
  })
  .refine(
    ({ providerContentId, window, continuationCursor }) =>
      providerContentId === null || (window === null && continuationCursor === null),
    { error: 'must come without window and continuationCursor', path: ['providerContentId'] },
  );
