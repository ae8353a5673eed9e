import type { GraphQLParams } from 'graphql-yoga';
import { ServiceError } from '../../errors.ts';

/**
 * Reads the JSON body of a request; Yoga checks its members. Refuses other content types, because a page of another
 * origin can send them without a CORS preflight.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export async function readParams(request: Request): Promise<GraphQLParams> {
  const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw badInput('The body must be sent as application/json.');
  const text = await request.text();
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
