import { z } from 'zod';
import type { Consents } from './consents.tsx';
import type { CallbackDelivery, Deliveries } from './deliveries.ts';
import type { SandboxApp } from './endpoint.ts';
import type { Post, SandboxAccount, SandboxClient } from './model.ts';
import type { Look } from './seed.ts';
import type { World } from './world.ts';

/** Options of a platform's callback, for tests. */
export const CallbackOptions = z.strictObject({
  /** Why the grant ended, for a platform that reports it. */
  reason: z.int().optional(),
  /** Seconds since the epoch; now by default. */
  signedAt: z.int().optional(),
  createdAt: z.int().optional(),
  /** Signs with another secret. */
  isForged: z.boolean().optional(),
  /** Signs with the client's second secret instead. */
  withMetaSecret: z.boolean().optional(),
  /** Which id it names, and whether as a JSON number. */
  names: z.enum(['appScopedId', 'userId']).optional(),
  asNumber: z.boolean().optional(),
  /** The algorithm that it names. */
  algorithm: z.string().optional(),
});
export type CallbackOptions = z.infer<typeof CallbackOptions>;

/** Sends a callback. @returns null if the client has no URL for it */
export type SendCallback = (
  kind: string,
  client: SandboxClient,
  account: SandboxAccount,
  options?: CallbackOptions,
) => Promise<CallbackDelivery> | null;

/** A kind of callback. */
export interface CallbackKind {
  readonly kind: string;
  readonly text: string;
  /** The client's setting with the URL. */
  readonly url: 'webhookUrl' | 'dataDeletionUrl';
  /** Last segment of the service's path for it. */
  readonly path: string;
  /** Whether the platform sends it when a person removes the app. */
  readonly tellsRemoval: boolean;
}

/** Everything that the sandbox knows of a platform, from its folder. */
export interface Emulation {
  /** The control API's form of the settings, their values at the start, and those of the client. */
  readonly settings: z.ZodObject;
  readonly defaults: object;
  readonly client?: Partial<SandboxClient>;
  readonly look: Look;
  /** Where an account is on the real platform: the URLs that the platform's API and our adapters give. */
  listProfileUrls(account: SandboxAccount): readonly string[];
  /** Where a post is on the real platform, in the form people copy from there. */
  buildPostUrl(account: SandboxAccount, post: Post): string;
  /** The paths of the platform's hosts below the sandbox's URL, by the service's setting for each. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly callbacks: readonly CallbackKind[];
  /** Serves the platform's endpoints. @returns how it sends its callbacks; null for a platform without any */
  serve(app: SandboxApp, parts: EmulationParts): SendCallback | null;
}

export interface EmulationParts {
  readonly world: World;
  readonly consents: Consents;
  readonly deliveries: Deliveries;
}
