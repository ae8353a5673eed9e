/** The formats of settings. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { DatabaseUrlError, parseDatabaseUrl } from '../basics/database-url.ts';
import { parseNetwork } from '../basics/public-address.ts';
import { Secret } from '../basics/secret.ts';

export const port = z.coerce.number().int().min(0).max(65_535);
/** An address or name to listen at, in each of the usual spellings; see `ListenAt`. */
export const host = z
  .string()
  .transform((text) => (text === '*' ? '::' : text.replace(/^\[(.*)\]$/, '$1')))
  .refine(
    (text) => isIP(text) !== 0 || /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?$/i.test(text),
    'must be an address or a host name, without a scheme or path',
  );
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});

/** A JSON Web Key Set; the first key seals, every key opens. */
export const keySet = json.pipe(
  z.object({
    keys: z.array(z.looseObject({ kid: z.string().min(1).max(64), kty: z.enum(['oct', 'EC']) })).min(1),
  }),
);
export type KeySet = z.infer<typeof keySet>;

/** A role for each group of operators. */
export const groupRoles = json.pipe(z.record(z.string(), z.enum(['VIEWER', 'OPERATOR', 'ADMIN'])));

/** OAuth scopes with single spaces between them (RFC 6749, 3.3), `openid` among them. */
export const scopes = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be scopes with single spaces between them')
  .refine((text) => text.split(' ').includes('openid'), 'must have openid among them');

/** Host names, compared exactly. */
export const hostNames = z
  .string()
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((host) => host !== ''),
  )
  .pipe(z.array(z.string().regex(/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/, 'must be names of hosts, separated by spaces')));

/** Networks in CIDR notation. */
export const networks = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((network) => network !== ''))
  .refine(
    (list) => list.every((network) => parseNetwork(network) !== undefined),
    'must be networks such as 10.20.0.0/16, separated by spaces',
  );

/** A directory, or a bucket with an optional path. */
export const journal = z
  .string()
  .min(1)
  .refine(
    (text) =>
      !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w./-]*)?$/.test(text),
    'must be a directory or s3://bucket/path',
  );

export const databaseUrl = z.string().transform((text, context) => {
  try {
    parseDatabaseUrl(text);
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    for (const message of error.faults) context.addIssue({ code: 'custom', message });
  }
  return new Secret(text);
});

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Node ignores text that it cannot read as a certificate, and then trusts none. */
export const certificates = z.string().refine((text) => {
  const found = text.match(CERTIFICATE) ?? [];
  const begun = text.match(/-----BEGIN CERTIFICATE-----/g) ?? [];
  return (
    found.length > 0 &&
    found.length === begun.length &&
    found.every((one) => isReadable(() => new X509Certificate(one)))
  );
}, 'must be a certificate in PEM, with real line breaks');

export const privateKey = z
  .string()
  .refine((text) => isReadable(() => createPrivateKey(text)), 'must be a private key in PEM, without a passphrase')
  .transform((text) => new Secret(text));
