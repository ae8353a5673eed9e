import type { Log } from './log.ts';

/** What a process has opened. Closes the last first, because a part may use those before it. */
export class Closings {
  readonly #parts: { close(): unknown }[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add<Part extends { close(): unknown }>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  /** Closes each part, even if others fail: a failure here must not hide why the process ends. */
  async close(): Promise<void> {
    for (const part of this.#parts.splice(0).reverse()) {
      try {
        await part.close();
      } catch (error) {
        this.#log.warn('Not closed', { error });
      }
    }
  }
}

/** Opens parts that are closed together. If one cannot be opened, closes those before it. */
export async function openTogether<Parts extends object>(
  log: Log,
  open: (closings: Closings) => Promise<Parts>,
): Promise<Parts & { close(): Promise<void> }> {
  const closings = new Closings(log);
  try {
    return { ...(await open(closings)), close: () => closings.close() };
  } catch (error) {
    await closings.close();
    throw error;
  }
}
