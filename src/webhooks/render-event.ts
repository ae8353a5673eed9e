import type { SentEventType } from '../basics/codes.ts';

/** An event as its table holds it, with its subject. */
export interface StoredEvent {
  readonly eventId: string;
  readonly type: SentEventType;
  readonly connectionId: string | null;
  readonly sequence: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /** Null for an event without a person, and after an erase. */
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string } | null;
}

/** Renders the body of an event: `type`, `timestamp` and `data` as Standard Webhooks recommends, and its `id`. */
export const renderEvent = ({ eventId, type, connectionId, sequence, data, occurredAt, scope }: StoredEvent): string =>
  JSON.stringify({
    id: eventId,
    type,
    timestamp: occurredAt.toISOString(),
    data: { connectionId, sequence, ...(scope !== null && { scope }), ...data },
  });
