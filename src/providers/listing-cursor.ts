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

/**
 * Returns the items that follow the last item of an earlier call, or the whole page if that item is gone. Every request
 * asks for the same page size, so that the order of items and the meaning of a page token stay the same.
 */
export function takeItemsAfter<Item extends { readonly id: string }>(
  items: readonly Item[],
  lastId: string | null,
): Item[] {
  const index = items.findIndex((item) => item.id === lastId);
  return items.slice(index + 1);
}
