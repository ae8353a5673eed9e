import { randomUUID } from 'node:crypto';

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type AppId = Id<'app'>;
export type KeyId = Id<'key'>;
export type ScopeId = Id<'scope'>;
export type RegistrationId = Id<'registration'>;
export type AttemptId = Id<'attempt'>;
export type ConnectionId = Id<'connection'>;
export type GrantId = Id<'grant'>;
export type ContentItemId = Id<'content-item'>;
export type JobId = Id<'job'>;
export type IssuerId = Id<'issuer'>;
export type CallbackSecretId = Id<'callback-secret'>;
export type AdminTokenId = Id<'admin-token'>;
export type BulkDisconnectId = Id<'bulk-disconnect'>;
export type ErasureId = Id<'erasure'>;
export type CorrelationId = Id<'correlation'>;

/** A fresh random id; the type argument says of what. */
export const newId = <T extends Id<string>>(): T => randomUUID() as T;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a caller's string can be one of our ids at all; anything else never reaches Postgres. */
export const isId = (text: string): boolean => UUID.test(text);

/** A caller's string as an id, lower-cased as Postgres prints it, or undefined where it cannot be one. */
export const asId = <T extends Id<string>>(text: string): T | undefined =>
  isId(text) ? (text.toLowerCase() as T) : undefined;
