import { z } from 'zod';
import type { World } from '../world.ts';

/** Lifetimes are in seconds and apply to tokens issued afterwards. */
export interface Settings {
  accessSeconds: number;
  refreshSeconds: number;
  pkce: 'none' | 'base64url' | 'hex';
  callsPerMinute: number;
  /** The scopes that the platform has approved for the clients. Null for all. One other fails the whole request. */
  approvedScopes: readonly string[] | null;
  /** Whether short links redirect, or lead a server to a page that wants a person. */
  shortLinks: 'redirect' | 'page';
}

export const defaults: Settings = {
  accessSeconds: 7200,
  refreshSeconds: 15_552_000,
  pkce: 'base64url',
  callsPerMinute: 600,
  approvedScopes: null,
  shortLinks: 'redirect',
};

const seconds = z.int().min(1);
/** The control API's form of them. */
export const settings = z.strictObject({
  accessSeconds: seconds,
  refreshSeconds: seconds,
  pkce: z.enum(['none', 'base64url', 'hex']),
  callsPerMinute: z.int().min(0),
  approvedScopes: z.array(z.string()).nullable(),
  shortLinks: z.enum(['redirect', 'page']),
});

export const settingsOf = ({ settings: all }: World) => all.b as Settings;
