import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { parseDatabaseUrl } from '../basics/database-url.ts';
import { Secret } from '../basics/secret.ts';
import { certificates, privateKey } from './values.ts';

/** The settings of files that DATABASE_URL may name instead. */
const FILES: Readonly<Record<'sslrootcert' | 'sslcert' | 'sslkey', { setting: string; type: z.ZodType }>> = {
  sslrootcert: { setting: 'DATABASE_CA', type: certificates },
  sslcert: { setting: 'DATABASE_CERT', type: certificates },
  sslkey: { setting: 'DATABASE_KEY', type: privateKey },
};

/**
 * Reads the files that DATABASE_URL names into their settings, and checks that all of them fit together.
 * @returns the faults.
 */
export function readDatabaseFiles(config: Record<string, unknown>): string[] {
  if (!(config.DATABASE_URL instanceof Secret)) return [];
  const { files, tls } = parseDatabaseUrl(config.DATABASE_URL.reveal());
  const faults: string[] = [];
  for (const parameter of Object.keys(FILES) as (keyof typeof FILES)[]) {
    const file = files[parameter];
    const { setting, type } = FILES[parameter];
    if (file === undefined) continue;
    if (config[setting] !== undefined) faults.push(`${setting} is set and DATABASE_URL has ${parameter}: remove one`);
    else config[setting] = read(file, type, `DATABASE_URL: the file of ${parameter}`, config.DEPLOYMENT, faults);
  }
  if (faults.length > 0) return faults;
  const { DATABASE_CA: ca, DATABASE_CERT: cert, DATABASE_KEY: key } = config;
  if (tls === 'authority' && ca === undefined)
    faults.push('DATABASE_URL: sslmode=verify-ca needs DATABASE_CA, because a public authority signs for everyone');
  if ((cert === undefined) !== (key === undefined))
    faults.push('DATABASE_CERT and DATABASE_KEY, a client certificate and its key, need each other');
  else if (typeof cert === 'string' && key instanceof Secret && !fits(cert, key))
    faults.push('DATABASE_KEY is not the key of the first certificate in DATABASE_CERT');
  return faults;
}

const fits = (cert: string, key: Secret): boolean =>
  new X509Certificate(cert).checkPrivateKey(createPrivateKey(key.reveal()));

function read(file: string, type: z.ZodType, name: string, deployment: unknown, faults: string[]): unknown {
  try {
    const { data, error } = type.safeParse(readFileSync(file, 'utf8').trim());
    faults.push(...(error?.issues.map(({ message }) => `${name} ${message}`) ?? []));
    if (deployment === 'production' && (statSync(file).mode & 0o002) !== 0)
      faults.push(`${name} is writable by everyone: remove that right (chmod o-w)`);
    return data;
  } catch {
    faults.push(`${name} cannot be read`);
    return undefined;
  }
}
