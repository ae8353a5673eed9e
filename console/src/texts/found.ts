import type { FindQuery, FoundKind } from '../generated/operations.ts';

export type Found = FindQuery['find'][number];

/** What a person can look for. */
export const FIND_HINT = 'Enter an id, its first 8 characters, a correlation id or a tenant’s key.';

export const FOUND_KINDS: Readonly<Record<FoundKind, string>> = {
  CONNECTION: 'Connection',
  JOB: 'Job',
  ATTEMPT: 'Attempt',
  APP: 'App',
  TENANT: 'Tenant',
  REGISTRATION: 'Registration',
  KEY: 'Key',
  ISSUER: 'Sign-in issuer',
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
    case 'APP':
      return `/apps/${id}`;
    case 'TENANT':
    case 'KEY':
      return `/apps/${appId}`;
    case 'REGISTRATION':
      return `/registrations/${id}`;
    case 'ISSUER':
      return '/issuers';
    case 'BULK_DISCONNECT':
      return `/disconnects/${id}`;
    case 'ERASURE':
      return `/erasures/${id}`;
    case 'AUDIT_ENTRY':
      return `/audit?${new URLSearchParams({ [label === NAMED ? 'target' : 'correlation']: id })}`;
  }
}

/** The label of audit entries that name an id. */
const NAMED = 'entries that name it';
