import { z } from 'zod';
import type { World } from '../world.ts';

/** Lifetimes are in seconds and apply to tokens issued afterwards. */
export interface Settings {
  shortSeconds: number;
  longSeconds: number;
  tokenAnswer: 'flat' | 'wrapped';
  permissionsAs: 'text' | 'list';
  refusedFields: readonly string[];
  refusedMetrics: readonly string[];
  callsPerDay: number;
  /** Whether it refuses an `appsecret_proof` of another client's secret. */
  checksSecretProofs: boolean;
  /** Accounts without an accepted tester invitation or a professional profile: consent works, and then no call. */
  accountsNotServed: readonly string[];
  /** Blocked or deactivated by the platform, or set to demand a proof of its secret: every call with a token fails. */
  appState: 'live' | 'blocked' | 'deactivated' | 'proofRequired';
  /** The largest page that it delivers. A larger one is too much data. */
  mostPerPage: number;
  /** Whether share links redirect, or lead a server to a page that wants a person. */
  shareLinks: 'redirect' | 'page';
}

export const defaults: Settings = {
  shortSeconds: 3600,
  longSeconds: 5_183_944,
  tokenAnswer: 'flat',
  permissionsAs: 'text',
  refusedFields: [],
  refusedMetrics: [],
  callsPerDay: 20_000,
  checksSecretProofs: true,
  accountsNotServed: [],
  appState: 'live',
  mostPerPage: 100,
  shareLinks: 'redirect',
};

const seconds = z.int().min(1);
/** The control API's form of them. */
export const settings = z.strictObject({
  shortSeconds: seconds,
  longSeconds: seconds,
  tokenAnswer: z.enum(['flat', 'wrapped']),
  permissionsAs: z.enum(['text', 'list']),
  refusedFields: z.array(z.string()),
  refusedMetrics: z.array(z.string()),
  callsPerDay: z.int().min(0),
  checksSecretProofs: z.boolean(),
  accountsNotServed: z.array(z.string()),
  appState: z.enum(['live', 'blocked', 'deactivated', 'proofRequired']),
  mostPerPage: z.int().min(1),
  shareLinks: z.enum(['redirect', 'page']),
});

export const settingsOf = ({ settings: all }: World) => all.c as Settings;
