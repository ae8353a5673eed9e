import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { World, WorldState } from './world.ts';

const DELAY_MS = 200;

/** Stores a world in a JSON file. Reads it once and writes it atomically, shortly after each change. */
export class StateFile {
  readonly #world: World;
  readonly #path: string;
  #written = '';
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @throws Error if the file exists and is not a sandbox's state */
  constructor(world: World, path: string) {
    this.#world = world;
    this.#path = path;
    const state = read(path);
    if (state !== null) world.restore(state);
  }

  saveSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.save();
    }, DELAY_MS);
  }

  /** Writes now if anything has changed. Logs a failed write, and retries at the next change. */
  save(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const text = JSON.stringify(this.#world.snapshot());
      if (text === this.#written) return;
      const temporary = `${this.#path}.${randomUUID()}`;
      try {
        // The file contains the sandbox's tokens.
        await writeFile(temporary, text, { mode: 0o600 });
        await rename(temporary, this.#path);
        this.#written = text;
      } catch (error) {
        console.error(JSON.stringify({ level: 'error', msg: 'sandbox state not saved', error: String(error) }));
      }
    });
    return this.#writing;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.save();
  }
}

function read(path: string): WorldState | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    const state: unknown = JSON.parse(text);
    // The sandbox wrote it, so the right version implies the right shape.
    if (typeof state === 'object' && state !== null && 'version' in state && state.version === 1)
      return state as WorldState;
  } catch {
    // Falls through to the error below.
  }
  throw new Error(`${path} is not a state file of this sandbox. Delete it to start again.`);
}
