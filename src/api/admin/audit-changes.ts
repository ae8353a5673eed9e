import type { App, AppKey, Registration, WebhookEndpoint } from '../../generated/admin-schema.ts';
import { SETTINGS } from '../../generated/settings.ts';
import type { AuditChange, Settings } from '../../store/operators/audit-log.ts';

/** Of characters; a longer value is cut. */
const LONGEST = 300;

function format(value: Settings[string]): string | null {
  if (value === null || value === undefined) return null;
  const text =
    value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(', ') || 'none' : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Lists the settings that differ. A thing that is new, or gone, has no settings. */
export function listChanges(before: Settings, after: Settings): AuditChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((setting) => ({ setting, from: format(before[setting]), to: format(after[setting]) }))
    .filter(({ from, to }) => from !== to);
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : null);

export function readAppSettings(app: App): Settings {
  const { identity, branding } = app;
  const policies = app.policies.flatMap(({ provider, ...policy }) => [
    [`${provider}.capabilities`, policy.capabilities],
    [`${provider}.quotaPercent`, policy.quotaPercent],
    [`${provider}.refreshMinutes`, policy.refreshMinutes],
    [`${provider}.refreshDays`, policy.refreshDays],
    [`${provider}.refreshPosts`, policy.refreshPosts],
  ]);
  return {
    ...SETTINGS.App.parse(app),
    returnUrls: app.returnUrls.length,
    launchOrigins: app.launchOrigins,
    ...Object.fromEntries(policies),
    'signIn.issuer': identity?.issuer.issuer,
    'signIn.enabled': identity?.enabled,
    'signIn.returnUrl': identity && originOf(identity.returnUrl),
    color: branding.color,
    language: branding.language,
    logo: branding.logo?.sha256.slice(0, 8),
  };
}

export const readKeySettings = ({ label, active }: AppKey): Settings => ({ label, active });

export const readRegistrationSettings = (registration: Registration): Settings => ({
  isPaused: registration.pausedAt !== null,
  isRefused: registration.rejectedAt !== null,
  isDoubted: registration.doubtedAt !== null,
  dailyQuota: registration.usage.unitsAllowed,
  isQuotaSpent: registration.usage.spentUntil !== null,
  permissions: registration.permissions.filter(({ isAsked }) => isAsked).map(({ name }) => name),
  disconnectAfterDays: registration.disconnectAfterDays,
  secretSetAt: registration.secretSetAt,
  ...SETTINGS.Registration.parse(registration),
  callbackSecrets: registration.callbackSecrets.length,
  apps: registration.apps.map(({ name }) => name),
});

/** The URL as it is shown to every role: by its origin. */
export const readEndpointSettings = ({ url, eventTypes, enabled, secrets }: WebhookEndpoint): Settings => ({
  url: originOf(url),
  eventTypes,
  enabled,
  secrets: secrets.length,
});
