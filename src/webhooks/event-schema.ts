import { z } from 'zod';
import {
  ATTEMPT_STATUSES,
  CONNECTION_STATUSES,
  DISCONNECT_REASONS,
  ENDED_JOB,
  IDENTITY_STATUSES,
  PROVIDER_NAMES,
  READ_JOB_KINDS,
  RECEIPT_KINDS,
  UNFINISHED_ATTEMPT,
} from '../basics/codes.ts';

/** The events as callers receive them. The published JSON Schema is made of this; a test compares the two. */

const id = z.uuid();
const instant = z.iso.datetime({ precision: 3 });
const code = z.string().regex(/^[A-Z_]+$/);
const provider = z.enum(PROVIDER_NAMES);
const count = z.int().min(0);
const creatorAction = z.literal('REMOVE_APP_AT_PROVIDER').nullable();

const event = <Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.strictObject({ id, type: z.literal(type), timestamp: instant, data: z.strictObject(data) });

/** Absent after the erase of the connection or of the person. */
const scope = z.exactOptional(z.strictObject({ tenantKey: z.string().min(1), externalSubjectId: z.string().min(1) }));
/** Fields of an event about a connection that may be gone. */
const former = { connectionId: id, sequence: z.int().min(1) };
/** Fields of an event about one connection. */
const connection = { ...former, scope };
const none = { connectionId: z.null(), sequence: z.null() };
// A list of its own: why a hold begins, in the published schema.
const reason = z.enum(['ACCOUNT_DISCONNECTING', 'REGISTRATION_PAUSED']);
/** Absent if a fail-over or a restored backup has lost it. */
const because = z.exactOptional(z.enum(DISCONNECT_REASONS));
/** Null if the service never disconnects it automatically. Absent from events of an older version. */
const erasesAt = z.exactOptional(instant.nullable());
const session = { sessionId: id };
const status = z.enum(CONNECTION_STATUSES);
const endOfJob = z.enum(ENDED_JOB);

/** A hold of one connection, or of all of an app's connections at a provider. */
const hold = <Type extends string, Status extends string>(type: Type, status: Status) =>
  z.strictObject({
    id,
    type: z.literal(type),
    timestamp: instant,
    data: z.union([
      z.strictObject({ ...connection, provider, status: z.literal(status), reason }),
      z.strictObject({ ...none, provider, reason }),
    ]),
  });

const attempt = { ...session, provider, resultCode: code.nullable(), creatorAction };

/** The body of an event. @internal */
export const WebhookEventBody = z.union([
  z.strictObject({
    id,
    type: z.literal('connect_session.finished'),
    timestamp: instant,
    data: z.union([
      z.strictObject({ ...connection, ...attempt, status: z.literal('COMPLETED') }),
      z.strictObject({
        ...none,
        scope,
        ...attempt,
        status: z.enum(ATTEMPT_STATUSES).exclude([...UNFINISHED_ATTEMPT, 'COMPLETED']),
      }),
    ]),
  }),
  event('identity_session.finished', {
    ...none,
    ...session,
    status: z.enum(IDENTITY_STATUSES).exclude(['PENDING']),
  }),
  event('connection.connected', { ...connection, provider, status: z.literal('CONNECTED') }),
  event('connection.reconnect_required', {
    ...connection,
    provider,
    status: z.literal('RECONNECT_REQUIRED'),
    erasesAt,
  }),
  hold('connection.suspended', 'SUSPENDED'),
  hold('connection.resumed', 'CONNECTED'),
  event('connection.disconnected', { ...connection, provider, status: z.literal('DISCONNECTED'), reason: because }),
  event('connection.erased', { ...former, provider, reason: because }),
  event('job.finished', {
    ...connection,
    jobId: id,
    kind: z.enum(READ_JOB_KINDS),
    requestedBy: z.enum(['CALLER', 'SERVICE']),
    status: endOfJob,
    errorCode: code.nullable(),
    incompleteReason: code.nullable(),
  }),
  event('receipt.settled', {
    ...connection,
    jobId: id,
    kind: z.enum(RECEIPT_KINDS),
    status: endOfJob,
    errorCode: code.nullable(),
    creatorAction,
  }),
  event('content.changed', { ...connection, jobId: id, addedCount: count, changedCount: count, removedCount: count }),
  z.strictObject({
    id,
    type: z.literal('connection.corrected'),
    timestamp: instant,
    data: z.union([
      z.strictObject({ ...connection, provider, status }),
      z.strictObject({ ...former, provider: z.null(), status: z.null() }),
    ]),
  }),
  event('webhook.test', none),
]);
