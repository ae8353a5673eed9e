import { z } from 'zod';
import type { World } from '../world.ts';

/** Lifetimes are in seconds and apply to tokens issued afterwards. */
export interface Settings {
  accessSeconds: number;
  /** A time-limited consent; null for a refresh token without a fixed end. */
  refreshSeconds: number | null;
  unitsPerDay: number;
  /** The reason in the answer to a used-up quota: of 2026, a rate limit that only its message calls a daily one. */
  quotaAnswer: 'quotaExceeded' | 'rateLimitExceeded';
  /** The error code of every refresh, such as `admin_policy_enforced` for accounts with a policy. Null for none. */
  refreshRefusal: string | null;
  /** Whether the platform has suspended the Cloud projects: every call of the API is forbidden. */
  projectSuspended: boolean;
  /** Whose `sub` a brand channel's id_token has: its owner's, or one of its own. Clients report both. */
  brandSubject: 'owner' | 'own';
  /** Whether the consent page hangs for a brand channel if `openid` is requested. */
  brandConsentHangs: boolean;
}

export const defaults: Settings = {
  accessSeconds: 3599,
  refreshSeconds: null,
  unitsPerDay: 10_000,
  quotaAnswer: 'quotaExceeded',
  refreshRefusal: null,
  projectSuspended: false,
  brandSubject: 'owner',
  brandConsentHangs: false,
};

const seconds = z.int().min(1);
/** The control API's form of them. */
export const settings = z.strictObject({
  accessSeconds: seconds,
  refreshSeconds: seconds.nullable(),
  unitsPerDay: z.int().min(0),
  quotaAnswer: z.enum(['quotaExceeded', 'rateLimitExceeded']),
  refreshRefusal: z.string().min(1).nullable(),
  projectSuspended: z.boolean(),
  brandSubject: z.enum(['owner', 'own']),
  brandConsentHangs: z.boolean(),
});

export const settingsOf = ({ settings: all }: World) => all.a as Settings;
