import { type DestinationStream, type Logger, pino, symbols } from 'pino';
import { getTraceFields } from './trace-fields.ts';

/**
 * The fields of a log line besides its message. The logger drops all others, so that no token, URL, body or personal
 * data reaches the log. Ids are our own, codes are from closed sets.
 */
export interface LogFields {
  readonly component?: string;
  readonly correlationId?: string;
  /** The current trace's, added by the logger. Named as OpenTelemetry names it in JSON logs. */
  readonly trace_id?: string;
  readonly method?: string;
  /** The route's template, never the requested path. */
  readonly route?: string;
  readonly status?: number;
  readonly ms?: number;
  /** Names of root fields of our own schema. */
  readonly operations?: readonly string[] | undefined;
  readonly codes?: readonly string[] | undefined;
  /** Why a request was forbidden, in sentences of ours. */
  readonly refusals?: readonly string[] | undefined;
  /** The origin of a page in a browser: scheme, host and port. */
  readonly origin?: string;
  readonly provider?: string;
  readonly appId?: string;
  readonly registrationId?: string;
  readonly attemptId?: string;
  readonly connectionId?: string;
  readonly grantId?: string;
  readonly jobId?: string;
  readonly bulkDisconnectId?: string;
  readonly endpointId?: string;
  readonly reason?: string;
  readonly workflowId?: string;
  readonly runId?: string;
  readonly workflowType?: string;
  readonly activityType?: string;
  readonly taskQueue?: string;
  /** The version of the workers, if they are versioned. */
  readonly buildId?: string | undefined;
  readonly migration?: string;
  readonly signal?: string;
  readonly port?: number;
  readonly count?: number;
  readonly seconds?: number;
  /** A code of a closed set, in capitals. All other values are dropped, because OAuth also calls a secret `code`. */
  readonly code?: string;
  /** A platform's own error codes and text, as far as people may read them (`providers/unexpected-answers.ts`). */
  readonly answer?: { readonly code: string; readonly text: string };
  /** The step of a sweep. */
  readonly step?: string;
  readonly tries?: number;
  /** What came back of a failed try, as the admin API names it: `HTTP_503`, or the code of a request without an answer. */
  readonly lastAnswer?: string;
  /** The call of a platform that failed, as in the metric `accounts_provider_calls_total`. */
  readonly call?: string;
  /** The time of the first failed try, ISO 8601. */
  readonly failingSince?: string;
  /** The time of the next try, ISO 8601. */
  readonly nextRetryAt?: string;
  /** The reasons why a process is not ready, in our own sentences. */
  readonly reasons?: readonly string[];
  /** Any thrown value. `describeError` prints it. */
  readonly error?: unknown;
}

const FIELDS = {
  component: true,
  correlationId: true,
  trace_id: true,
  method: true,
  route: true,
  status: true,
  ms: true,
  operations: true,
  codes: true,
  refusals: true,
  origin: true,
  provider: true,
  appId: true,
  registrationId: true,
  attemptId: true,
  connectionId: true,
  grantId: true,
  jobId: true,
  bulkDisconnectId: true,
  endpointId: true,
  reason: true,
  workflowId: true,
  runId: true,
  workflowType: true,
  activityType: true,
  taskQueue: true,
  buildId: true,
  migration: true,
  signal: true,
  port: true,
  count: true,
  seconds: true,
  code: true,
  answer: true,
  step: true,
  tries: true,
  lastAnswer: true,
  call: true,
  failingSince: true,
  nextRetryAt: true,
  reasons: true,
  error: true,
} satisfies Record<keyof LogFields, true>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Creates a log that adds these fields to every line. */
  with(fields: LogFields): Log;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Creates a log of JSON lines, on standard output by default. Messages are constants; values belong in fields. */
export function createLog(level: LogLevel, destination: DestinationStream = createStandardOutput()): Log {
  const lines = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return new BoundLog(lines, {});
}

/** How long a line waits for others. A process that is killed loses the lines of this time. */
const MAX_DELAY_MS = 50;
/** Characters that do not wait. */
const MAX_DELAYED = 32_768;
const WARN = 40;

/**
 * Writes many lines together, because each write takes a system call and wakes the process that reads them. Warnings and
 * errors, with the lines before them, are written at once. The rest is written before the process exits.
 * @internal
 */
export function batchLines(write: (lines: string) => void): DestinationStream {
  let lines = '';
  let watchesExit = false;
  let timer: NodeJS.Timeout | undefined;
  const writeAll = () => {
    const text = lines;
    lines = '';
    clearTimeout(timer);
    timer = undefined;
    if (text !== '') write(text);
  };
  const destination = {
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0, // The logger sets it before each line.
    write(line: string) {
      if (!watchesExit) process.once('exit', writeAll);
      watchesExit = true;
      lines += line;
      if (destination.lastLevel >= WARN || lines.length > MAX_DELAYED) writeAll();
      else timer ??= setTimeout(writeAll, MAX_DELAY_MS).unref();
    },
  };
  return destination;
}

function createStandardOutput(): DestinationStream {
  const output = pino.destination({ sync: true });
  return batchLines((lines) => void output.write(lines));
}

class BoundLog implements Log {
  readonly #lines: Logger;
  readonly #fields: LogFields;

  constructor(lines: Logger, fields: LogFields) {
    this.#lines = lines;
    this.#fields = fields;
  }

  debug(message: string, fields?: LogFields) {
    this.#write('debug', message, fields);
  }
  info(message: string, fields?: LogFields) {
    this.#write('info', message, fields);
  }
  warn(message: string, fields?: LogFields) {
    this.#write('warn', message, fields);
  }
  error(message: string, fields?: LogFields) {
    this.#write('error', message, fields);
  }
  with(fields: LogFields): Log {
    return new BoundLog(this.#lines, Object.assign({}, this.#fields, fields));
  }

  #write(level: Exclude<LogLevel, 'silent'>, message: string, fields: LogFields | undefined) {
    if (this.#lines.isLevelEnabled(level)) {
      this.#lines[level](printable(getTraceFields(), this.#fields, fields), message);
    }
  }
}

const CLOSED_CODE = /^[A-Z][A-Z_]*$/;

/** Merges the fields that may be printed; a later value replaces an earlier one. Loops, because every request has a line. */
function printable(...sources: readonly (LogFields | undefined)[]): object {
  const kept: Record<string, unknown> = {};
  for (const source of sources) {
    for (const name in source) {
      if (!Object.hasOwn(FIELDS, name)) continue;
      const value = source[name as keyof LogFields];
      if (name === 'code' && !CLOSED_CODE.test(String(value))) continue;
      kept[name] = name === 'error' ? describeError(value) : value;
    }
  }
  return kept;
}

/** Errors with our own, constant messages. Messages of other errors may quote URLs, rows and input. */
const OWN_ERRORS = new Set([
  'ServiceError',
  'ProviderError',
  'ConfigError',
  'ForeignSchemaError',
  'LateSourceError',
  'OldServerError',
  'StaleDatabaseError',
]);
const FRAME = /^ {4}at .*:\d+:\d+\)?$/;
const CODE = /^[A-Za-z0-9_]{1,50}$/;
/** The message of an error of gRPC begins with its code and that code's name. */
const GRPC_NAME = /^\d{1,2} ([A-Z_]{2,50}): /;
const MAX_CAUSES = 3;

const nameOf = (code: unknown, message: string): string =>
  (typeof code === 'number' ? GRPC_NAME.exec(message)?.[1] : undefined) ?? String(code);

/**
 * Describes an error safely: its name, code (SQLSTATE, errno) and stack frames; the message of our own errors only; the
 * type of a failed activity, from `activities/failures.ts`.
 */
function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && CODE.test(String(error.code)) ? nameOf(error.code, error.message) : undefined;
  const type = error.name === 'ApplicationFailure' && 'type' in error && CODE.test(String(error.type));
  const frames = (error.stack ?? '').split('\n').filter((line) => FRAME.test(line));
  return {
    name: error.name,
    ...(OWN_ERRORS.has(error.name) && { message: error.message }),
    ...(code !== undefined && { code }),
    ...(type && { type: error.type }),
    ...(frames.length > 0 && { stack: frames.map((frame) => frame.trim()) }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1) }),
  };
}
