import { ServiceError } from '../../basics/errors.ts';
import { boundVariables } from './variables.ts';

/** The members of a request's JSON body. Absent ones have no property. */
export interface Params {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

const JSON_TYPE = 'application/json';
const MEMBERS = ['query', 'variables', 'operationName', 'extensions'];

/**
 * Reads the JSON body of a request. Refuses other content types, because a page of another origin can send them without a
 * CORS preflight.
 * @param text undefined if the body is not UTF-8
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function readParams(contentType: string | null, text: string | undefined): Params {
  if (contentType !== JSON_TYPE && contentType?.split(';')[0]?.trim().toLowerCase() !== JSON_TYPE) {
    throw badInput('The body must be sent as application/json.');
  }
  if (text === undefined) throw badInput('The body must be UTF-8, without compression.');
  const body = parseJson(text);
  if (Array.isArray(body)) throw badInput('Batching is not supported: a request holds exactly one operation.');
  if (!isObject(body)) throw badInput('The body must be a JSON object.');
  for (const member in body) {
    if (!MEMBERS.includes(member) && body[member] !== null)
      throw badInput(`The body has an unknown member: ${member}.`);
  }
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== 'string') throw badInput('The query must be a string.');
  if (!isOptionalObject(variables)) throw badInput('The variables must be an object.');
  if (!isOptionalObject(extensions)) throw badInput('The extensions must be an object.');
  if (variables) boundVariables(variables);
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw badInput('The operationName must be a string.');
  }
  return { query, ...(variables && { variables }), ...(typeof operationName === 'string' && { operationName }) };
}

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOptionalObject = (value: unknown): value is JsonObject | null | undefined =>
  value === undefined || value === null || isObject(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badInput('The body is not JSON.');
  }
}

const badInput = (message: string) => new ServiceError('BAD_USER_INPUT', message);
