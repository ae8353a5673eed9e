/** Generates the values of rows: numbers that look random but depend only on seed, kind and index. */
export interface MadeUp {
  /** From 0 up to, but not including, `below`. */
  number(kind: string, index: number, below: number): number;
  /** A UUID of version 4. */
  id(kind: string, index: number): string;
  /** As hexadecimal text. */
  bytes(kind: string, index: number, length: number): string;
}

/** The finishing steps of MurmurHash3: every bit of the input changes half of those of the output. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function makeUp(seed: number): MadeUp {
  const kinds = new Map<string, number>();
  const kindOf = (kind: string): number => {
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    let hash = mix(seed);
    for (const character of kind) hash = mix(hash ^ (character.codePointAt(0) ?? 0));
    kinds.set(kind, hash);
    return hash;
  };
  const word = (kind: string, index: number, lane: number) =>
    mix(mix(mix(kindOf(kind) ^ index) + lane * 0x9e3779b9) ^ index);
  const hex = (kind: string, index: number, words: number) => {
    let text = '';
    for (let lane = 1; lane <= words; lane += 1) text += word(kind, index, lane).toString(16).padStart(8, '0');
    return text;
  };
  return {
    number: (kind, index, below) => word(kind, index, 0) % below,
    bytes: (kind, index, length) => hex(kind, index, Math.ceil(length / 4)).slice(0, length * 2),
    id: (kind, index) => {
      const text = hex(kind, index, 4);
      const variant = '89ab'[Number.parseInt(text.charAt(16), 16) % 4];
      return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20)}`;
    },
  };
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Orders the numbers below `count` so that neighbors are far apart. */
export function scattered(count: number): (index: number) => number {
  let step = Math.max(1, Math.floor(count * 0.618));
  while (gcd(step, count) !== 1) step += 1;
  return (index) => Number((BigInt(index) * BigInt(step)) % BigInt(count));
}
