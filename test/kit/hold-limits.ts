import { onTestFinished, vi } from 'vitest';

/** Stops the refill of rate limits until the test ends: on a busy machine, a token comes back between two requests. */
export function holdLimits(): void {
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => stopped.mockRestore());
}
