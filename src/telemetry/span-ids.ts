let wanted: string | undefined;

/** The next span to be started, in this very turn, has this id: 16 hexadecimal digits. */
export function setNextSpanId(spanId: string): void {
  wanted = spanId;
}

/** What `wantSpanId` asked for, once. */
export function takeNextSpanId(): string | undefined {
  const taken = wanted;
  wanted = undefined;
  return taken;
}
