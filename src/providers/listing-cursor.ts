import { z } from 'zod';
import { createFailure } from './answers.ts';

/** Encodes a position in a listing as the opaque cursor that the adapter's caller stores. */
export const writeListingCursor = (position: Readonly<Record<string, unknown>>): string => JSON.stringify(position);

/** Decodes a cursor. @throws ProviderError `ContractBroken` for a text that `writeListingCursor` did not write */
export function readListingCursor<Schema extends z.ZodType>(
  schema: Schema,
  cursor: string,
  where: string,
): z.output<Schema> {
  const parsed = z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema)
    .safeParse(cursor);
  if (!parsed.success) throw createFailure('ContractBroken', where);
  return parsed.data;
}

/** Returns the items after the last one of `seen`, or all of them if none of these is left. */
export function takeItemsAfter<Item extends { readonly id: string }>(
  items: readonly Item[],
  seen: readonly (string | null)[],
): Item[] {
  return items.slice(items.findLastIndex((item) => seen.includes(item.id)) + 1);
}
