import type { Document } from '../graphql/document.ts';
import { Shares } from './shares.ts';

/** Callers send the same few documents again and again. A longer one is prepared each time. */
const MAX_LENGTH = 16_384;
/** Characters of all documents, and of those of one caller. They bound the memory that parsed documents take. */
const KNOWN = { each: 40_000, all: 200_000 };

/** The documents of authenticated callers, by their text. Callers share them, but none pushes out those of another. */
export class KnownDocuments {
  readonly #known = new Map<string, Document>();
  readonly #texts = new Shares<string>(KNOWN, (text) => void this.#known.delete(text));

  find(text: string): Document | undefined {
    return this.#known.get(text);
  }

  /** Notes that a caller uses a document. */
  keep(callerId: string, text: string, document: Document): void {
    if (text.length > MAX_LENGTH) return;
    this.#known.set(text, document);
    this.#texts.use(callerId, text, text.length);
  }
}
