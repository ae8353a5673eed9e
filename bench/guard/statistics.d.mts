/** A ratio of two versions, with its interval. */
interface Ratio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

export declare const LEAST_ROUNDS: number;
export declare const findMargin: (n: number) => number;
export declare const compareRounds: (before: readonly number[], now: readonly number[]) => Ratio;
export declare const judge: (whole: Ratio, hasGrown?: boolean) => 'slower' | 'faster' | 'same' | 'unclear';
export declare const findGrown: (
  whole: number,
  processes: Readonly<Record<string, { readonly before: number; readonly now: number; readonly low?: number }>>,
) => string[];
