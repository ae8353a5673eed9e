import { GraphQLError, GraphQLScalarType, type GraphQLSchema, Kind } from 'graphql';

/** ISO 8601: date, time, optional seconds with up to nine decimals, and a zone as `Z`, `+02:00`, `+0200` or `+02`. */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;
/** Years of four digits in UTC, a range that Postgres and callers' libraries support too. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 date-time with a zone and truncates it to the millisecond.
 * @throws GraphQLError for any other text, for a day that does not exist, and for an instant outside years 1 to 9999.
 * @internal
 */
function parseDateTime(value: unknown): Date {
  const [text, year, month, day, hour, minute, second = '00', fraction = '', sign, zoneHour, zoneMinute = '00'] =
    (typeof value === 'string' && DATE_TIME.exec(value)) || [];
  if (text !== undefined && isDayOfMonth(Number(year), Number(month), Number(day))) {
    const milliseconds = fraction.slice(1, 4).padEnd(3, '0');
    const zone = sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`;
    const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`);
    if (date.getTime() >= EARLIEST_MS && date.getTime() <= LATEST_MS) return date;
  }
  throw new GraphQLError(
    'A DateTime must be a date and time that exist, with a zone, such as 2026-01-31T09:30:00.000Z.',
  );
}

const isDayOfMonth = (year: number, month: number, day: number): boolean => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Rolls over if the month has no such day.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** The form that answers carry, as the store writes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** @internal */
const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  parseValue: parseDateTime,
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : undefined),
  serialize(value) {
    if (typeof value === 'string' && INSTANT.test(value)) return value;
    if (!(value instanceof Date)) throw new TypeError('A resolver returned no Date for a DateTime field.');
    return value.toISOString();
  },
});

const DECIMAL_COUNT = /^(0|[1-9]\d*)$/;

/** @internal */
function parseDecimalCount(value: unknown): string {
  if (typeof value === 'string' && DECIMAL_COUNT.test(value)) return value;
  throw new GraphQLError('A DecimalCount is a string of decimal digits without leading zeros.');
}

/** @internal */
const DecimalCount = new GraphQLScalarType<string, string>({
  name: 'DecimalCount',
  parseValue: parseDecimalCount,
  parseLiteral: (node) => parseDecimalCount(node.kind === Kind.STRING ? node.value : undefined),
  serialize: parseDecimalCount,
});

/** Gives a schema's scalars their behavior. Their descriptions stay those of the schema's text. @returns the schema */
export function implementScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const { name, serialize, parseValue, parseLiteral } of [DateTime, DecimalCount]) {
    Object.assign(schema.getType(name) ?? {}, { serialize, parseValue, parseLiteral });
  }
  return schema;
}
