import { randomUUID } from 'node:crypto';
import { Secrets, type Writing } from '../kit/leaks.ts';

/** Words that a test plants in the answers of platforms, and looks for in everything that comes out. */
export class Canaries {
  readonly #planted = new Secrets();
  /** The bytes that clients received. */
  readonly #answers: Writing[] = [];

  plant(where: string): string {
    const word = `canary${randomUUID().replaceAll('-', '')}`;
    this.#planted.add(where, word);
    return word;
  }

  /** Puts a canary in place of each text of a value, at any depth. */
  plantIn(value: unknown, where: string): unknown {
    if (typeof value === 'string') return this.plant(where);
    if (Array.isArray(value)) return value.map((one) => this.plantIn(one, where));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.plantIn(member, `${where}.${name}`)]),
    );
  }

  /** Keeps the bytes that a client received. */
  keep(where: string, text: string): void {
    this.#answers.push({ where, text });
  }

  /** @returns the input and the place of each canary that came out. */
  findIn(writings: readonly Writing[]): string[] {
    return this.#planted.findIn([...this.#answers, ...writings]);
  }
}
