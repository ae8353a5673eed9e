/** A private-use character no generated text contains; it marks an integer that must leave its quotes. */
const MARK = '\uE0F1';
const MARKED = new RegExp(`"${MARK}(-?\\d+)${MARK}"`, 'g');

/** JSON with bigint as a bare number, as platforms write 64-bit counts and ids. */
export const toWireJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${MARK}${item}${MARK}` : item)).replace(
    MARKED,
    '$1',
  );

/** An answer in JSON. */
export const createJsonResponse = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(toWireJson(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });

/** The same, leaving out every field that has no value: platforms send no null for what they do not show. */
export const omitMissing = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as Partial<T>;
