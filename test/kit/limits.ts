/**
 * A test ends when what it waits for happens. These limits only end one that hangs: a busy machine takes its time.
 * In milliseconds.
 */
export const WAIT_LIMIT_MS = 300_000;
export const TEST_LIMIT_MS = 3 * WAIT_LIMIT_MS;
