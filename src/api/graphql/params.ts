import type { GraphQLParams } from 'graphql-yoga';
import { ServiceError } from '../../errors.ts';

const JSON_TYPE = 'application/json';

/**
 * Reads the JSON body of a request; Yoga checks its members. Refuses other content types, because a page of another
 * origin can send them without a CORS preflight.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function readParams(contentType: string | null, text: string): GraphQLParams {
  if (contentType !== JSON_TYPE && contentType?.split(';')[0]?.trim().toLowerCase() !== JSON_TYPE) {
    throw badInput('The body must be sent as application/json.');
  }
  const body = parseJson(text);
  if (Array.isArray(body)) throw badInput('Batching is not supported: a request holds exactly one operation.');
  if (typeof body !== 'object' || body === null) throw badInput('The body must be a JSON object.');
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badInput('The body is not JSON.');
  }
}

const badInput = (message: string) => new ServiceError('BAD_USER_INPUT', message);
