/** The part of oidc-provider that the sandbox uses, which comes without types. Shapes as its README and configuration page have them. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Context {
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string | string[] | undefined>>;
    readonly response: { readonly headers: Readonly<Record<string, string | string[] | number | undefined>> };
    readonly oidc?: {
      readonly route?: string;
      readonly params?: Readonly<Record<string, unknown>>;
      readonly session?: { readonly accountId?: string };
    };
    status: number;
    type: string;
    body: unknown;
    respond?: boolean;
    set(name: string, value: string): void;
  }

  export interface Interaction {
    readonly uid: string;
    readonly params: Readonly<Record<string, unknown>>;
    /** The browser's session at the provider, if it has one. */
    readonly session?: { readonly uid: string; readonly accountId?: string };
  }

  export interface Session {
    accountId?: string | undefined;
    authorizations?: unknown;
    persist(): Promise<string>;
  }

  export interface Account {
    readonly accountId: string;
    claims(): Promise<Record<string, unknown>>;
  }

  export interface Adapter {
    upsert(id: string, payload: Record<string, unknown>, expiresInSeconds: number): Promise<void>;
    find(id: string): Promise<Record<string, unknown> | undefined>;
    findByUid(uid: string): Promise<Record<string, unknown> | undefined>;
    findByUserCode(code: string): Promise<Record<string, unknown> | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    rejectOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    /** Whether it believes X-Forwarded-Proto and X-Forwarded-Host. */
    proxy: boolean;
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Session: { findByUid(uid: string): Promise<Session | undefined> };
    readonly Client: { readonly prototype: { redirectUriAllowed(uri: string): boolean } };
    readonly Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => Grant;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: 'server_error', listener: (context: Context, error: Error) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    /** @returns where to send the browser next */
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<string>;
  }

  export namespace errors {
    class SessionNotFound extends Error {}
  }

  export namespace interactionPolicy {
    class Prompt {
      constructor(details: { name: string; requestable: boolean });
    }
    function base(): { add(prompt: Prompt, index?: number): void };
  }
}
