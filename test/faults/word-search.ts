import { createReadStream } from 'node:fs';

/** The bytes by which a place is looked up: few enough for the shortest word, and for one integer. */
const KEY_BYTES = 6;

/** Finds any of many words in much text: one look at each byte, for any number of words. */
export class WordSearch {
  readonly #byKey = new Map<number, Buffer[]>();
  readonly #longest: number;

  /** Shorter words than six bytes would be found by chance, and are left out. */
  constructor(words: readonly string[]) {
    const all = words.map((word) => Buffer.from(word)).filter(({ length }) => length >= KEY_BYTES);
    for (const word of all) {
      const key = word.readUIntBE(0, KEY_BYTES);
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), word]);
    }
    this.#longest = Math.max(KEY_BYTES, ...all.map(({ length }) => length));
  }

  findIn(text: Buffer): Set<string> {
    const found = new Set<string>();
    if (this.#byKey.size === 0) return found;
    for (let at = 0; at + KEY_BYTES <= text.length; at += 1) {
      const words = this.#byKey.get(text.readUIntBE(at, KEY_BYTES));
      for (const word of words ?? []) {
        const end = at + word.length;
        if (end > text.length || text.compare(word, 0, word.length, at, end) !== 0) continue;
        if (!isWordByte(text[at - 1]) && !isWordByte(text[end])) found.add(String(word));
      }
    }
    return found;
  }

  async findInFile(file: string): Promise<Set<string>> {
    const found = new Set<string>();
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 22 })) {
      const text = Buffer.concat([rest, chunk as Buffer]);
      for (const word of this.findIn(text)) found.add(word);
      rest = text.subarray(-this.#longest - 1);
    }
    return found;
  }
}

/** Letters, digits, `_`, and every byte of another letter: one name can be the beginning of another. */
const isWordByte = (byte = 0): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x5f ||
  byte > 0x7f;
