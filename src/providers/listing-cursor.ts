import { z } from 'zod';
import { createFailure } from './answers.ts';

/** Writes a place in a listing as the opaque text a caller of the adapter keeps. */
export const writeListingCursor = (place: Readonly<Record<string, unknown>>): string => JSON.stringify(place);

/** Reads such a place back. @throws ProviderError `ContractBroken` for a text we never wrote. */
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
 * What of a page comes after the item an earlier call ended with; all of it when that item is no longer there. Pages
 * keep one size however few items a call may return, so that neither their order nor a token's meaning changes.
 */
export function takeItemsAfter<Item extends { readonly id: string }>(
  items: readonly Item[],
  lastId: string | null,
): Item[] {
  const index = items.findIndex((item) => item.id === lastId);
  return items.slice(index + 1);
}
