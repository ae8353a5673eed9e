import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';

/** JSON of a shape that the test knows. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads answers as a caller's untyped client does.
export type Answer = any;

/** The part of an error that a caller reads, and its correlation id: a failing test prints all of it. */
export class Refusal extends Error {
  readonly operation: string | undefined;
  readonly correlationId: string | undefined;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  readonly connectionId: string | undefined;
  readonly jobId: string | undefined;

  constructor({ message, path, extensions }: Answer) {
    super(`${extensions.code}: ${message}`);
    this.operation = path?.[0];
    this.correlationId = extensions.correlationId;
    this.code = extensions.code;
    this.retryAfterSeconds = extensions.retryAfterSeconds;
    this.connectionId = extensions.connectionId;
    this.jobId = extensions.jobId;
  }
}

const TRIES = 5;
/** An internal failure has the same code and another message: it must fail the test. */
const isLate = ({ code, message }: Refusal) =>
  code === 'UPSTREAM_UNAVAILABLE' && message.includes('does not answer in time');

/** Repeats a call while the service is too busy to answer in time, as callers do: its work continues meanwhile. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (left === 1 || !(error instanceof Refusal) || !isLate(error)) throw error;
    }
  }
}

/** @returns the refusal of a call. @throws if the call succeeded. */
export async function refusalOf(answer: Promise<unknown>): Promise<Refusal> {
  const refusal = await answer.then(
    () => new Error('The call was answered.'),
    (thrown: unknown) => thrown,
  );
  if (!(refusal instanceof Refusal)) throw refusal;
  return refusal;
}

const READS = ['connectSessionResult', 'connection', 'connections', 'content', 'contentItem', 'syncJob'] as const;
const STARTS = ['createConnectSession', 'createIdpIdentitySession', 'requestRefresh', 'requestContentLookup'] as const;
const ENDS = ['redeemIdpIdentityResult', 'disconnectConnection'] as const;
const ROOT_FIELDS = ['status', 'integrationReadiness', ...READS, ...STARTS, ...ENDS] as const;
export type RootField = (typeof ROOT_FIELDS)[number];

const FILE = path.join(ROOT, 'clients', 'graphql', 'operations.graphql');
const OPERATIONS = readFileSync(FILE, 'utf8').split(/^(?=query|mutation)/m);

/** One document for each root field, with all its fields. */
export const DOCUMENTS = Object.fromEntries(
  ROOT_FIELDS.map((field) => [field, OPERATIONS.find((text) => new RegExp(`^  ${field}\\b`, 'm').test(text))]),
) as Readonly<Record<RootField, string>>;

/** @returns the answer's data. @throws Refusal with its first error. */
async function post(url: string, token: string, query: string, variables: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as Answer;
  if (errors) throw new Refusal(errors[0]);
  return data;
}

/** Calls the API as an app's backend does. @throws Refusal with the first error of the answer. */
export async function ask(graphqlUrl: string, key: string, field: RootField, variables: object = {}): Promise<Answer> {
  return (await post(graphqlUrl, key, DOCUMENTS[field], variables))[field];
}

/** Calls the admin API with an admin token. @throws Refusal with the first error of the answer. */
export const askAdmin = (apiUrl: string | undefined, token: string, query: string, variables: object = {}) =>
  post(`${apiUrl}/api/admin/graphql`, token, query, variables);
