import { randomUUID } from 'node:crypto';
import { z } from 'zod';

/** The schema of one kind of id. An id is a UUID; its brand keeps one kind from passing for another. */
const id = <Kind extends string>() => z.guid().brand<Kind>();

export const AppId = id<'app'>();
export type AppId = z.infer<typeof AppId>;
export const KeyId = id<'key'>();
export type KeyId = z.infer<typeof KeyId>;
export const ScopeId = id<'scope'>();
export type ScopeId = z.infer<typeof ScopeId>;
export const RegistrationId = id<'registration'>();
export type RegistrationId = z.infer<typeof RegistrationId>;
export const AttemptId = id<'attempt'>();
export type AttemptId = z.infer<typeof AttemptId>;
export const ConnectionId = id<'connection'>();
export type ConnectionId = z.infer<typeof ConnectionId>;
export const GrantId = id<'grant'>();
export type GrantId = z.infer<typeof GrantId>;
export const ContentItemId = id<'content-item'>();
export type ContentItemId = z.infer<typeof ContentItemId>;
export const JobId = id<'job'>();
export type JobId = z.infer<typeof JobId>;
export const IssuerId = id<'issuer'>();
export type IssuerId = z.infer<typeof IssuerId>;
export const CallbackSecretId = id<'callback-secret'>();
export type CallbackSecretId = z.infer<typeof CallbackSecretId>;
export const AdminTokenId = id<'admin-token'>();
export type AdminTokenId = z.infer<typeof AdminTokenId>;
export const BulkDisconnectId = id<'bulk-disconnect'>();
export type BulkDisconnectId = z.infer<typeof BulkDisconnectId>;
export const ErasureId = id<'erasure'>();
export type ErasureId = z.infer<typeof ErasureId>;
export const WebhookEndpointId = id<'webhook-endpoint'>();
export type WebhookEndpointId = z.infer<typeof WebhookEndpointId>;
export const WebhookSecretId = id<'webhook-secret'>();
export type WebhookSecretId = z.infer<typeof WebhookSecretId>;
export const WebhookEventId = id<'webhook-event'>();
export type WebhookEventId = z.infer<typeof WebhookEventId>;
export const WebhookDeliveryId = id<'webhook-delivery'>();
export type WebhookDeliveryId = z.infer<typeof WebhookDeliveryId>;
export const UnknownAnswerId = id<'unknown-answer'>();
export type UnknownAnswerId = z.infer<typeof UnknownAnswerId>;
export const CorrelationId = id<'correlation'>();
export type CorrelationId = z.infer<typeof CorrelationId>;

type Id = string & z.$brand;

/** Creates a random id. The type argument names its kind. */
export const newId = <T extends Id>(): T => randomUUID() as T;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @returns true if a caller's string can be one of our ids. No other string reaches Postgres. */
export const isId = (text: string): boolean => UUID.test(text);

/** Converts a caller's string to an id in lower case, as Postgres prints it. @returns undefined if it cannot be one. */
export const asId = <T extends Id>(text: string): T | undefined => (isId(text) ? (text.toLowerCase() as T) : undefined);
