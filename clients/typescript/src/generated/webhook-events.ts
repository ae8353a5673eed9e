// Generated from webhook-events.schema.json by `npm run codegen`; do not edit.

/** The event `connect_session.finished`. */
export interface ConnectSessionFinishedEvent {
  readonly id: string;
  readonly type: 'connect_session.finished';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly sessionId: string; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly resultCode: string | null; readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null; readonly status: 'COMPLETED'; } | { readonly connectionId: null; readonly sequence: null; readonly sessionId: string; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly resultCode: string | null; readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null; readonly status: 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED'; };
}

/** The event `identity_session.finished`. */
export interface IdentitySessionFinishedEvent {
  readonly id: string;
  readonly type: 'identity_session.finished';
  readonly timestamp: string;
  readonly data: { readonly connectionId: null; readonly sequence: null; readonly sessionId: string; readonly status: 'COMPLETED' | 'DENIED' | 'FAILED' | 'EXPIRED'; };
}

/** The event `connection.connected`. */
export interface ConnectionConnectedEvent {
  readonly id: string;
  readonly type: 'connection.connected';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly status: 'CONNECTED'; };
}

/** The event `connection.reconnect_required`. */
export interface ConnectionReconnectRequiredEvent {
  readonly id: string;
  readonly type: 'connection.reconnect_required';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly status: 'RECONNECT_REQUIRED'; };
}

/** The event `connection.suspended`. */
export interface ConnectionSuspendedEvent {
  readonly id: string;
  readonly type: 'connection.suspended';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly status: 'SUSPENDED'; readonly reason: 'ACCOUNT_DISCONNECTING' | 'REGISTRATION_PAUSED'; } | { readonly connectionId: null; readonly sequence: null; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly reason: 'ACCOUNT_DISCONNECTING' | 'REGISTRATION_PAUSED'; };
}

/** The event `connection.resumed`. */
export interface ConnectionResumedEvent {
  readonly id: string;
  readonly type: 'connection.resumed';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly status: 'CONNECTED'; readonly reason: 'ACCOUNT_DISCONNECTING' | 'REGISTRATION_PAUSED'; } | { readonly connectionId: null; readonly sequence: null; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly reason: 'ACCOUNT_DISCONNECTING' | 'REGISTRATION_PAUSED'; };
}

/** The event `connection.disconnected`. */
export interface ConnectionDisconnectedEvent {
  readonly id: string;
  readonly type: 'connection.disconnected';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly status: 'DISCONNECTED'; };
}

/** The event `connection.erased`. */
export interface ConnectionErasedEvent {
  readonly id: string;
  readonly type: 'connection.erased';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; };
}

/** The event `job.finished`. */
export interface JobFinishedEvent {
  readonly id: string;
  readonly type: 'job.finished';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly jobId: string; readonly kind: 'SCAN' | 'METRICS' | 'LOOKUP'; readonly requestedBy: 'CALLER' | 'SERVICE'; readonly status: 'SUCCEEDED' | 'FAILED' | 'CANCELED'; readonly errorCode: string | null; readonly incompleteReason: string | null; };
}

/** The event `receipt.settled`. */
export interface ReceiptSettledEvent {
  readonly id: string;
  readonly type: 'receipt.settled';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly jobId: string; readonly kind: 'REVOKE' | 'ERASE'; readonly status: 'SUCCEEDED' | 'FAILED' | 'CANCELED'; readonly errorCode: string | null; readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null; };
}

/** The event `content.changed`. */
export interface ContentChangedEvent {
  readonly id: string;
  readonly type: 'content.changed';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly jobId: string; readonly addedCount: number; readonly changedCount: number; readonly removedCount: number; };
}

/** The event `connection.corrected`. */
export interface ConnectionCorrectedEvent {
  readonly id: string;
  readonly type: 'connection.corrected';
  readonly timestamp: string;
  readonly data: { readonly connectionId: string; readonly sequence: number; readonly provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C'; readonly status: 'CONNECTED' | 'SUSPENDED' | 'RECONNECT_REQUIRED' | 'DISCONNECTED' | 'DELETING'; } | { readonly connectionId: string; readonly sequence: number; readonly provider: null; readonly status: null; };
}

/** The event `webhook.test`. */
export interface WebhookTestEvent {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly timestamp: string;
  readonly data: { readonly connectionId: null; readonly sequence: null; };
}

/** Every event, told apart by its `type`. Newer services may send more types: let a `default` pass them over. */
export type WebhookEvent =
  | ConnectSessionFinishedEvent
  | IdentitySessionFinishedEvent
  | ConnectionConnectedEvent
  | ConnectionReconnectRequiredEvent
  | ConnectionSuspendedEvent
  | ConnectionResumedEvent
  | ConnectionDisconnectedEvent
  | ConnectionErasedEvent
  | JobFinishedEvent
  | ReceiptSettledEvent
  | ContentChangedEvent
  | ConnectionCorrectedEvent
  | WebhookTestEvent;

export type WebhookEventType = WebhookEvent['type'];
