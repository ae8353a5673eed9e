let wanted: string | undefined;

/** Sets the id of the next span, which must start synchronously: 16 hexadecimal digits. */
export function setNextSpanId(spanId: string): void {
  wanted = spanId;
}

/** Returns the id that `setNextSpanId` set, once. */
export function takeNextSpanId(): string | undefined {
  const taken = wanted;
  wanted = undefined;
  return taken;
}
