import { z } from 'zod';
import { SENT_EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '../../basics/codes.ts';
import {
  type AdminTokenId,
  type AppId,
  type AttemptId,
  asId,
  type BulkDisconnectId,
  type CallbackSecretId,
  type ConnectionId,
  type CorrelationId,
  type ErasureId,
  type IssuerId,
  type JobId,
  type KeyId,
  type RegistrationId,
  type UnknownAnswerId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookSecretId,
} from '../../basics/ids.ts';
import * as rules from '../../domain/rules/input-rules.ts';
import { atMost, between, lineOf, text, textOf } from '../../domain/rules/input-rules.ts';
import { orNull } from '../inputs.ts';
import { readIdRange } from './id-range.ts';

/** Blanks come with a copied secret, and no one sees them: a platform would refuse the client. */
const pastedSecret = z.string().trim().pipe(textOf(4_000));

/**
 * Rules of arguments that the types and directives of admin.graphql cannot express. Codegen builds the schema of every operation's
 * arguments from admin.graphql
 * with the functions at the end of this file, which look here: first for `operation.argument` or `Input.field`, then for the
 * name alone. An optional argument is null where it is left out, and has the default that admin.graphql gives it. @internal
 */
export const RULES = {
  permissions: rules.permissionList,
  capabilities: rules.capabilityList,
  issuer: rules.issuerUrl,
  returnUrl: rules.returnUrl,
  image: rules.logoInBase64,
  eventType: z.enum(SENT_EVENT_TYPES, 'must be a type of event'),
  eventTypes: rules.webhookEventTypes,
  color: rules.pageColor,
  language: rules.pageLanguage,
  'AuditFilter.correlationId': text.refine(
    (given) => readIdRange(given) !== undefined,
    'must be an id, or its first 8 characters',
  ),
  clientSecret: pastedSecret,
  'addCallbackSecret.secret': pastedSecret,
  'addReturnUrl.url': rules.returnUrl,
  'addLaunchOrigin.origin': rules.launchOrigin,
} satisfies Record<string, z.ZodType>;

/** Optional arguments to which leaving out means something else than null. @internal */
export const OPTIONAL = {
  'CreateWebhookEndpointInput.eventTypes': rules.webhookEventTypes
    .nullish()
    .transform((types) => types ?? WEBHOOK_EVENT_TYPES),
} satisfies Record<string, z.ZodType>;

type Fields = Readonly<Record<string, unknown>>;
type Check = (given: Fields, report: (message: string, field?: string) => void) => void;

const nestPeople: Check = ({ appId, tenantKey, externalSubjectId }, report) => {
  if (tenantKey !== null && appId === null) report('must come with appId', 'tenantKey');
  if (externalSubjectId !== null && tenantKey === null) report('must come with tenantKey', 'externalSubjectId');
};

/** Pages show the beginning of an id: as a filter, it would find nothing. */
const requireWholeIds: Check = (given, report) => {
  for (const [name, value] of Object.entries(given))
    if (value === NO_ID) report('must be a whole id: 36 characters', name);
};
const checkFilter: Check = (given, report) => {
  requireWholeIds(given, report);
  nestPeople(given, report);
};

/** Which fields of an input go together. @internal */
export const CHECKS: Readonly<Record<string, Check>> = {
  ConnectionFilter: checkFilter,
  AttemptFilter: checkFilter,
  JobFilter: requireWholeIds,
  WebhookDeliveryFilter: requireWholeIds,
  AuditFilter: (given, report) => {
    checkFilter(given, report);
    if (given.appId !== null && given.target !== null) report('must not come with target', 'appId');
  },
  DisconnectAllInput: ({ appId, tenantKey, registrationId }, report) => {
    const isOne = registrationId === null ? appId !== null && tenantKey !== null : appId === null && tenantKey === null;
    if (!isOne) report('must name either appId and tenantKey, or registrationId');
  },
};

/** The kind of an id is that of its name. An argument named `id` has the kind that the operation looks for. */
interface Ids {
  appId: AppId;
  registrationId: RegistrationId;
  connectionId: ConnectionId;
  issuerId: IssuerId;
  endpointId: WebhookEndpointId;
  secretId: WebhookSecretId;
  correlationId: CorrelationId;
  retriedBy: CorrelationId;
  bulkDisconnectId: BulkDisconnectId;
  id: AppId &
    RegistrationId &
    ConnectionId &
    IssuerId &
    WebhookEndpointId &
    WebhookDeliveryId &
    AttemptId &
    JobId &
    KeyId &
    AdminTokenId &
    CallbackSecretId &
    BulkDisconnectId &
    ErasureId &
    UnknownAnswerId;
}

/** No row has this id. A string that is no UUID becomes it, and is answered like an unknown id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

// The parts of which the generated schemas consist. GraphQL has checked the types.

export { between, lineOf, textOf };

/** Nothing that an operator names is longer, unless it has bounds or a rule of its own. */
const LONGEST = 2_048;
export const string = text.refine((value) => atMost(value, LONGEST), `must be at most ${LONGEST} characters`);
export const int = z.int();
export const boolean = z.boolean();
export const date = z.date();
export const id = <Name extends keyof Ids>(_name: Name) =>
  z.string().transform((given) => (asId(given) ?? NO_ID) as Ids[Name]);
export const code = <Value extends string>() => z.custom<Value>();
export const list = <Item extends z.ZodType>(item: Item) => z.array(item);

type RuleOf<Key, Base> = Key extends keyof typeof RULES
  ? (typeof RULES)[Key]
  : Key extends `${string}.${infer Name}`
    ? Name extends keyof typeof RULES
      ? (typeof RULES)[Name]
      : Base
    : Base;

/** A required argument. */
export function required<Key extends string, Base extends z.ZodType>(key: Key, base: Base): RuleOf<Key, Base> {
  const known: Readonly<Record<string, z.ZodType>> = RULES;
  return (known[key] ?? known[key.slice(key.lastIndexOf('.') + 1)] ?? base) as RuleOf<Key, Base>;
}

type OrNull<Schema> = Schema extends z.ZodType ? ReturnType<typeof orNull<Schema>> : never;
type OptionalOf<Key, Base> = Key extends keyof typeof OPTIONAL ? (typeof OPTIONAL)[Key] : OrNull<RuleOf<Key, Base>>;

/** An argument that may be left out. */
export function optional<Key extends string, Base extends z.ZodType>(key: Key, base: Base): OptionalOf<Key, Base> {
  const known: Readonly<Record<string, z.ZodType>> = OPTIONAL;
  return (known[key] ?? orNull(required(key, base) as z.ZodType)) as OptionalOf<Key, Base>;
}

type Nullish<Schema> = Schema extends z.ZodType ? z.ZodType<z.output<Schema> | null | undefined> : never;
type Kept<Schema> = Schema extends z.ZodType ? z.ZodType<z.output<Schema> | undefined> : never;

/** A setting that stays if it is omitted or null. */
export const kept = <Key extends string, Base extends z.ZodType>(key: Key, base: Base) =>
  (required(key, base) as z.ZodType).nullish().transform((given) => given ?? undefined) as unknown as Kept<
    RuleOf<Key, Base>
  >;

/** A setting that stays if it is omitted, and that null clears. */
export const keptOrCleared = <Key extends string, Base extends z.ZodType>(key: Key, base: Base) =>
  (required(key, base) as z.ZodType).nullish() as unknown as Nullish<RuleOf<Key, Base>>;

/** An argument with a default. GraphQL replaces an omitted argument; this also replaces an explicit null. */
export const withDefault = <Key extends string, Base extends z.ZodType, Value>(key: Key, base: Base, value: Value) =>
  (required(key, base) as Base).nullish().transform((given) => given ?? value);

/** An input. */
export const input = <Shape extends z.ZodRawShape>(name: string, shape: Shape) =>
  z
    .object(shape)
    .superRefine((given, context) =>
      CHECKS[name]?.(given, (message, field) =>
        context.addIssue({ code: 'custom', message, path: field === undefined ? [] : [field] }),
      ),
    );

/** A filter that may be left out: then it leaves all in. */
export const filter = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((given) => (given ?? schema.parse({})) as z.output<Schema>);
