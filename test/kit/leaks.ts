import { createHash } from 'node:crypto';
import type { Client } from '@temporalio/client';

/** A stored text to search. */
export interface Writing {
  readonly where: string;
  readonly text: string;
}

/** Shorter secrets could occur by chance. */
const SHORTEST = 6;
const SHA_256_LENGTH = 43;

/** Secrets that must never be stored in plain text: collected while tests run, and searched for at the end. */
export class Secrets {
  readonly #values = new Map<string, string>();
  readonly #digests = new Map<string, string>();

  /** @param what its name in the report, such as "launch token". */
  add(what: string, ...values: readonly (string | null | undefined)[]): void {
    for (const value of values) {
      if (value === null || value === undefined) continue;
      if (value.length < SHORTEST) throw new Error(`A ${what} of ${value.length} characters would be found by chance.`);
      this.#values.set(value, what);
    }
  }

  /** A secret known only by its SHA-256 in base64url, such as a PKCE challenge. */
  addDigest(what: string, digest: string | null): void {
    if (digest === null) return;
    if (digest.length !== SHA_256_LENGTH) throw new Error(`A SHA-256 in base64url has ${SHA_256_LENGTH} characters.`);
    this.#digests.set(digest, what);
  }

  /** The number of secrets of a kind, so that a test can check that it searched for any. */
  count(what: string): number {
    return [...this.#values.values(), ...this.#digests.values()].filter((one) => one === what).length;
  }

  /** @returns the kind and place of each found secret, without its value. */
  findIn(writings: readonly Writing[]): string[] {
    const found = new Set<string>();
    for (const { where, text } of writings) {
      for (const [value, what] of this.#values) {
        if (formsOf(value).some((form) => text.includes(form))) found.add(`${what} in ${where}`);
      }
      // RFC 7636: a verifier is 43 to 128 of these characters.
      for (const word of new Set(text.match(/[A-Za-z0-9._~-]{43,128}/g) ?? [])) {
        const what = this.#digests.get(createHash('sha256').update(word).digest('base64url'));
        if (what !== undefined) found.add(`${what} in ${where}`);
      }
    }
    return [...found].sort();
  }
}

/** The forms to search for: plain, in a URL, in JSON, and in base64 at any offset of a longer text. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const inBase64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // The characters at either end also contain bits of a neighbor.
    return text.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...inBase64];
  return [...new Set([...forms, ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))])];
}

/**
 * Everything that Temporal shows of every workflow (history, memo, search attributes, summaries, details) and of
 * every Schedule. Workers must be running: they return the current details.
 */
export async function readTemporal(client: Client): Promise<Writing[]> {
  const writings: Writing[] = [];
  const write = (what: string, shown: unknown) => writings.push({ where: what, text: textsIn(shown).join('\n') });
  for await (const { workflowId, runId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    write(`the history of ${workflowId}`, await handle.fetchHistory());
    const { raw, type, status } = await handle.describe();
    write(`the description of ${workflowId}`, raw);
    // A terminated workflow answers no query; a sweep has no details.
    if (status.name === 'TERMINATED' || type === 'sweep') continue;
    write(`the current details of ${workflowId}`, await handle.query('__temporal_workflow_metadata'));
  }
  for await (const { scheduleId } of client.schedule.list()) {
    write(`the Schedule ${scheduleId}`, (await client.schedule.getHandle(scheduleId).describe()).raw);
  }
  return writings;
}

/** Every text in a message at any depth, including decoded payloads. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
