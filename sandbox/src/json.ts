/** A private-use character that no generated text contains. It marks integers whose quotes must go. */
const MARK = '\uE0F1';
const MARKED = new RegExp(`"${MARK}(-?\\d+)${MARK}"`, 'g');

/** Writes JSON with each bigint as a number, as platforms write 64-bit counts and ids. */
export const toWireJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${MARK}${item}${MARK}` : item)).replace(
    MARKED,
    '$1',
  );

export const createJsonResponse = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(toWireJson(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });

/** Omits fields without a value: platforms omit hidden fields and send no null. */
export const omitMissing = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as Partial<T>;
