const strict = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes bytes from outside. A byte order mark at the start is dropped.
 *
 * Every input passes through this function, because Node's other decoders replace invalid bytes by U+FFFD: the names of two
 * persons in Latin-1 would become one name.
 * @returns undefined unless the bytes are UTF-8 (RFC 3629)
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the percent escapes in a query or a form are UTF-8. `URLSearchParams` would replace others by U+FFFD. */
export const areEscapesUtf8 = (text: string): boolean =>
  (text.match(/(?:%[0-9a-f]{2})+/gi) ?? []).every(
    (escapes) => decodeUtf8(Buffer.from(escapes.replaceAll('%', ''), 'hex')) !== undefined,
  );
