import type { FindQuery, FoundKind } from '../generated/operations.ts';

export type Found = FindQuery['find'][number];

/** The kinds of things that a search finds. */
export const FIND_HINT =
  'Enter an id or its first 8 characters: of a connection, job, attempt, sign-in, grant, post, webhook event, delivery, key or token, the reference of an error page, or the correlation id of a request. Or an exact name: a subject, a tenant, an app, a registration, an account’s handle or profile URL, the beginning of its display name, a platform’s id of an account or a post, a post’s URL, or an OAuth client id.';

/** Where else to look when nothing is found. */
export const FIND_ELSEWHERE: readonly string[] = [
  'The reference of an error page that belongs to no attempt, such as that of an unknown link, and the correlation id of a request that was refused or only read, are only in the log of the api: search it for them.',
  'Attempts are kept for a day, sign-ins for 20 minutes, receipts of a disconnect for 7 days, webhook events for 30 days.',
  'An erased person is found by the receipt of the erasure only: its id, or app, tenant and subject under People.',
  'The handle and the name of an account are known for 30 days after they were last read, and not after a disconnect: look the subject up. A person may have changed them since.',
];

export const FOUND_KINDS: Readonly<Record<FoundKind, string>> = {
  CONNECTION: 'Connection',
  JOB: 'Job',
  ATTEMPT: 'Attempt',
  SIGN_IN: 'Sign-in',
  PERSON: 'Person',
  APP: 'App',
  TENANT: 'Tenant',
  REGISTRATION: 'Registration',
  KEY: 'Key',
  ADMIN_TOKEN: 'Admin token',
  ISSUER: 'Sign-in issuer',
  WEBHOOK_ENDPOINT: 'Webhook endpoint',
  WEBHOOK_DELIVERY: 'Webhook delivery',
  BULK_DISCONNECT: 'Bulk disconnect',
  ERASURE: 'Erasure receipt',
  AUDIT_ENTRY: 'Audit log',
};

/** The page of a thing. A tenant and a key are parts of their app's page. */
export function getFoundPath({ kind, id, appId, label }: Found): string {
  switch (kind) {
    case 'CONNECTION':
      return `/connections/${id}`;
    case 'JOB':
      return `/jobs/${id}`;
    case 'ATTEMPT':
      return `/attempts/${id}`;
    case 'SIGN_IN':
      return `/sign-ins/${id}`;
    case 'PERSON':
      return '/people';
    case 'APP':
      return `/apps/${id}`;
    case 'TENANT':
      return `/apps/${appId}#tenants`;
    case 'KEY':
      return `/apps/${appId}#keys`;
    case 'REGISTRATION':
      return `/registrations/${id}`;
    case 'ADMIN_TOKEN':
      return '/tokens';
    case 'WEBHOOK_ENDPOINT':
      return `/webhooks/${id}`;
    case 'WEBHOOK_DELIVERY':
      return `/webhooks/deliveries/${id}`;
    case 'ISSUER':
      return `/issuers/${id}`;
    case 'BULK_DISCONNECT':
      return `/disconnects/${id}`;
    case 'ERASURE':
      return `/erasures/${id}`;
    case 'AUDIT_ENTRY':
      return `/audit?${new URLSearchParams({ [label === NAMED ? 'target' : 'correlation']: id })}`;
  }
}

/** The name of a person, which a page needs and its URL must not contain. */
export const getFoundState = ({ kind, id, appId, tenantKey }: Found): object | undefined =>
  kind === 'PERSON' ? { texts: { app: appId ?? '', tenant: tenantKey ?? '', subject: id } } : undefined;

/** The label of audit entries that name an id. */
const NAMED = 'entries that name it';

/** The work that operators start, by the page of its start. */
export const ACTIONS: readonly { readonly name: string; readonly path: string }[] = [
  { name: 'Set up an app', path: '/apps/new' },
  { name: 'Issue a key: choose its app', path: '/apps' },
  { name: 'Retry stuck jobs', path: '/jobs?stuck=true' },
  { name: 'Test a client: choose its registration', path: '/registrations' },
  { name: 'Export or erase a person', path: '/people' },
  { name: 'Invite an operator', path: '/tokens' },
];
