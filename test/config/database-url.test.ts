import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { parseDatabaseUrl } from '../../src/basics/database-url.ts';
import { ConfigError, readConfig } from '../../src/config/config.ts';

const [AUTHORITY = ''] = rootCertificates;

function faultsOf(DATABASE_URL: string, changes: Record<string, string> = {}): readonly string[] {
  try {
    readConfig('migrate', { DEPLOYMENT: 'production', DATABASE_URL, ...changes }, []);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const NEON = 'postgresql://alex:AbC123dEfGhI4567@ep-cool-dark-a1b2-pooler.us-east-2.aws.neon.tech/neondb';
const SUPABASE = 'postgres://postgres.abcdefghij:AbC123dEfGhI4567@aws-0-eu-central-1.pooler.supabase.com:5432/postgres';
const CLOUD_SQL = 'postgres://accounts:AbC123dEfGhI4567@';
const PRISMA = 'postgresql://accounts:AbC123dEfGhI4567@db.example.com:5432/accounts';

describe('the address of a database, as providers print it', () => {
  test.each([
    [`${NEON}?sslmode=verify-full&channel_binding=require`, { host: new URL(NEON).hostname, tls: 'verified' }],
    [`${NEON}?sslmode=verify-full&options=endpoint%3Dep-cool-dark-a1b2`, { options: 'endpoint=ep-cool-dark-a1b2' }],
    [`${SUPABASE}?sslmode=verify-full&pgbouncer=true`, { user: 'postgres.abcdefghij', database: 'postgres' }],
    [
      `${CLOUD_SQL}/accounts?host=/cloudsql/project:europe-west1:accounts`,
      { host: '/cloudsql/project:europe-west1:accounts' },
    ],
    [`${CLOUD_SQL}localhost/accounts?host=/cloudsql/a:b:c&sslmode=require`, { host: '/cloudsql/a:b:c', tls: 'none' }],
    [
      `${PRISMA}?schema=public&sslmode=verify-full&connection_limit=5&pool_timeout=10&connect_timeout=30`,
      { database: 'accounts' },
    ],
  ])('is taken: %s', (url, parts) => {
    expect(faultsOf(url)).toEqual([]);
    expect(parseDatabaseUrl(url)).toMatchObject(parts);
  });

  const OPEN =
    'DATABASE_URL connects without TLS or without checking the certificate: add sslmode=verify-full, or name its host in ALLOW_UNENCRYPTED_HOSTS';
  test.each([
    [`${NEON}?sslmode=require`, OPEN],
    [`${SUPABASE}?sslmode=no-verify`, /sslmode must be disable, require, verify-ca or verify-full/],
    [`${SUPABASE}?ssl=true`, /the parameter ssl,.*use sslmode/],
    [`${PRISMA}?schema=accounts&sslmode=verify-full`, /schema/],
    [`${PRISMA}?sslmode=verify-full&sslidentity=client.p12&sslpassword=secret`, /sslidentity/],
    [`${CLOUD_SQL}/accounts?socketFactory=com.google.cloud.sql.postgres.SocketFactory`, /host=\/cloudsql/],
    [`${PRISMA}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`, /the file of sslrootcert cannot be read/],
    [PRISMA.replace('postgresql', 'postgresql+asyncpg'), /must begin with postgres:\/\/ or postgresql:\/\//],
  ])('is refused with the remedy: %s', (url, fault) => {
    const faults = faultsOf(url);
    expect(faults).toContainEqual(typeof fault === 'string' ? fault : expect.stringMatching(fault));
    expect(faults.join()).not.toMatch(/AbC123|client\.p12|secret/);
  });
});

describe('a password', () => {
  const withPassword = (password: string) =>
    `postgres://accounts:${password}@db.example.com/accounts?sslmode=verify-full`;

  test.each([
    ['abcdefghij%25klmnopq', 'abcdefghij%klmnopq'],
    ['abcdefghij%2Fklm%3Fn%23o%40p%3Aq', 'abcdefghij/klm?n#o@p:q'],
    ['abcdefghijkl@mnop?q#r', 'abcdefghijkl@mnop?q#r'], // Nothing else can be meant.
  ])('is written %s', (written, password) => {
    expect(faultsOf(withPassword(written))).toEqual([]);
    expect(parseDatabaseUrl(withPassword(written)).password).toBe(password);
  });

  test.each(['abcdefghij%klmnopqr', 'abcdefghij/klmnopq', 'abcdefghijkl%00mnop'])('is not written %s', (written) => {
    expect(faultsOf(withPassword(written)).join()).toMatch(/^DATABASE_URL: .*percent-encode/);
    expect(faultsOf(withPassword(written)).join()).not.toContain('klmnop');
  });
});

describe('the certificate of an authority', () => {
  const url = `${PRISMA}?sslmode=verify-full`;
  const FAULT = 'DATABASE_CA: must be a certificate in PEM, with real line breaks';

  test.each([
    ['one', AUTHORITY],
    ['with the line ends of Windows', AUTHORITY.replaceAll('\n', '\r\n')],
    ['in quotes', `"${AUTHORITY}"`],
  ])('is taken: %s', (_what, ca) => {
    expect(faultsOf(url, { DATABASE_CA: ca })).toEqual([]);
  });

  test.each([
    ['line breaks written as \\n', AUTHORITY.replaceAll('\n', '\\n')],
    ['a second one that is cut off', `${AUTHORITY}\n${rootCertificates[1]?.slice(0, 200)}`],
    ['its path', '/etc/ssl/ca.pem'],
    ['a key', '-----BEGIN PRIVATE KEY-----\nabcd\n-----END PRIVATE KEY-----'],
  ])('is refused: %s', (_what, ca) => {
    expect(faultsOf(url, { DATABASE_CA: ca })).toEqual([FAULT]);
  });
});
