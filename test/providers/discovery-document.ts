import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { downloadWheel } from '../../local/src/temporal-programs.ts';
import { CACHE } from '../kit/run-folder.ts';

/** Google's own client for Python. It carries Google's description of each of its APIs. */
const CLIENT = {
  package: 'google-api-python-client',
  version: '2.202.0',
  sha256: ['aaa90064c9bb642ff1d065b22ca8958a2cb6e345909cefe70d0e5452fc50e08b'],
};
const ENTRY = 'googleapiclient/discovery_cache/documents/youtube.v3.json';
const PRINT_ENTRY = 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))';

/** A JSON Schema of a discovery document (Google API Discovery Service, draft 3 of JSON Schema). */
export interface DiscoverySchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: string;
  readonly properties?: Readonly<Record<string, DiscoverySchema>>;
  readonly items?: DiscoverySchema;
  readonly additionalProperties?: DiscoverySchema;
}

export interface DiscoveryParameter extends DiscoverySchema {
  readonly required?: boolean;
  readonly repeated?: boolean;
  readonly minimum?: string;
  readonly maximum?: string;
}

export interface DiscoveryMethod {
  readonly httpMethod: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, DiscoveryParameter>>;
  readonly response: { readonly $ref: string };
  readonly scopes: readonly string[];
}

export interface DiscoveryDocument {
  readonly parameters: Readonly<Record<string, DiscoveryParameter>>;
  readonly schemas: Readonly<Record<string, DiscoverySchema>>;
  readonly resources: Readonly<Record<string, { readonly methods: Readonly<Record<string, DiscoveryMethod>> }>>;
}

/** Google's description of the YouTube Data API v3. Downloads it once. */
export async function findDiscoveryDocument(): Promise<DiscoveryDocument> {
  const kept = path.join(CACHE, `youtube-${CLIENT.version}.json`);
  if (!existsSync(kept)) await download(kept);
  return JSON.parse(readFileSync(kept, 'utf8'));
}

async function download(kept: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(path.join(CACHE, 'wheel-'));
  try {
    const wheel = await downloadWheel(CLIENT, draft);
    if (wheel === undefined) throw new Error(`pip could not download ${CLIENT.package} ${CLIENT.version}.`);
    const file = path.join(draft, 'document.json');
    writeFileSync(file, execFileSync('python3', ['-c', PRINT_ENTRY, wheel, ENTRY], { maxBuffer: 1e8 }));
    renameSync(file, kept);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Finds the method behind a GET of this path. */
export const findMethod = ({ resources }: DiscoveryDocument, path: string): DiscoveryMethod | undefined =>
  Object.values(resources)
    .flatMap(({ methods }) => Object.values(methods ?? {}))
    .find((method) => method.httpMethod === 'GET' && method.path === path);

export function resolve(document: DiscoveryDocument, schema: DiscoverySchema): DiscoverySchema {
  return schema.$ref === undefined ? schema : { ...document.schemas[schema.$ref] };
}
