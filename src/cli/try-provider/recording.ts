import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { PROVIDER_NAMES, type ProviderName } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../providers/http.ts';
import { parseJson } from '../../providers/json.ts';
import { findNewest, Redactor } from './redact.ts';

const texts = z.record(z.string(), z.string());

const Exchange = z.object({
  /** The part of the trial that sent it. */
  step: z.string(),
  /** The adapter's name of the request. */
  where: z.string(),
  method: z.string(),
  path: z.string(),
  query: texts,
  /** The names of the form's fields. */
  form: z.array(z.string()),
  status: z.int(),
  headers: texts,
  body: z.string(),
});
/** One request and its answer, without secrets and without data of the account. */
export type Exchange = z.infer<typeof Exchange>;

const Recording = z.object({
  format: z.literal(1),
  provider: z.enum(PROVIDER_NAMES),
  /** Whether it answered on a public https address, so that it may be the platform itself. */
  isPublic: z.boolean(),
  recordedAt: z.iso.datetime(),
  clientId: z.string(),
  /** The requested permissions. */
  permissions: z.array(z.string()),
  keepsGrant: z.boolean(),
  /** The callback's query. Null if there was none. */
  callback: texts.nullable(),
  exchanges: z.array(Exchange),
  /** How the answers differed from those that the adapter expects. */
  differences: z.array(z.string()),
});
/** The answers of a platform in one trial. `npm run contract -- … --recording` runs the trial again over it. */
export type Recording = z.infer<typeof Recording>;

/** @throws ServiceError `BAD_USER_INPUT` for a file of another form. @internal for the contract's tests */
export function readRecording(file: string): Recording {
  const parsed = Recording.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.') || 'the file';
  throw new ServiceError('BAD_USER_INPUT', `${file} is no recording of try-provider: ${where} is not as expected.`);
}

/** The parameters whose values are our own. */
const OWN_PARAMETERS = /^(fields|grant_type|limit|maxResults|max_count|metric|mine|part|response_type)$/;
const HEADERS = /^(content-type|retry-after|www-authenticate|x-app-usage|x-business-use-case-usage|x-ratelimit-reset)$/;

interface RawExchange {
  readonly step: string;
  readonly request: HttpRequest;
  answer: HttpAnswer | undefined;
}

/** Keeps the requests of a trial and their answers in memory, and writes them down without secrets at the end. */
export class Recorder {
  readonly #exchanges: RawExchange[] = [];
  #callback: URLSearchParams | undefined;
  #step = '';

  begin(step: string): void {
    this.#step = step;
  }

  addCallback(query: URLSearchParams): void {
    this.#callback = query;
  }

  /** The client with every request in the recording, in the order in which they were sent. */
  record(http: Http): Http {
    return {
      ...http,
      request: async (request) => {
        const exchange: RawExchange = { step: this.#step, request, answer: undefined };
        this.#exchanges.push(exchange);
        exchange.answer = await http.request(request);
        return exchange.answer;
      },
    };
  }

  finish(trial: {
    readonly provider: ProviderName;
    readonly isPublic: boolean;
    readonly clientId: string;
    readonly issuer: string | null;
    readonly permissions: readonly string[];
    readonly keepsGrant: boolean;
    readonly differences: readonly string[];
    readonly now: Date;
  }): Recording {
    const { clientId, issuer, now, permissions, differences, ...kept } = trial;
    const answered = this.#exchanges.flatMap(({ answer, ...rest }) =>
      answer === undefined ? [] : [{ ...rest, answer }],
    );
    const newest = findNewest(
      answered.map(({ answer }) => answer.text),
      now.getTime(),
    );
    const redactor = new Redactor(newest, issuer);
    return {
      format: 1,
      ...kept,
      permissions: [...permissions],
      differences: [...differences],
      recordedAt: new Date(redactor.moveInstant(now.getTime())).toISOString(),
      clientId: redactor.word(clientId),
      callback: this.#callback === undefined ? null : redactCallback(redactor, this.#callback, issuer),
      exchanges: answered.map((exchange) => redactExchange(redactor, exchange)),
    };
  }
}

function redactExchange(redactor: Redactor, { step, request, answer }: Required<RawExchange> & { answer: HttpAnswer }) {
  const url = new URL(request.url);
  const query = [...url.searchParams].map(([name, value]) => [
    name,
    OWN_PARAMETERS.test(name) ? value : redactor.word(value),
  ]);
  const headers = Object.entries(answer.headers).filter(([name]) => HEADERS.test(name));
  return {
    step,
    where: request.where,
    method: request.method,
    path: redactor.path(url.pathname),
    query: Object.fromEntries(query) as Record<string, string>,
    form: Object.keys(request.form ?? {}),
    status: answer.status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, redactHeader(redactor, name, value)])),
    body: redactor.body(answer.text),
  };
}

/** The usage names the account. */
function redactHeader(redactor: Redactor, name: string, value: string): string {
  const json = name.endsWith('-usage') ? parseJson(value) : undefined;
  return json === undefined ? value : JSON.stringify(redactor.value(json));
}

const redactCallback = (redactor: Redactor, query: URLSearchParams, issuer: string | null) =>
  Object.fromEntries(
    [...query].map(([name, value]) => {
      if (/^(error|error_reason|error_type|scope|scopes|prompt|authuser)$/.test(name)) return [name, value];
      if (name === 'iss') return [name, value === issuer ? 'https://accounts.google.com' : 'https://other.example'];
      return [name, redactor.word(value)];
    }),
  );
