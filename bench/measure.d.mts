/** The types of `measure.mjs`, for benchmarks in TypeScript. */
export declare const cpuOf: (pid: number) => number;
export declare const cpuOfFamily: (pid: number) => number;
export declare const parentOf: (pid: number) => number;
export declare const quantile: (values: readonly number[], part: number) => number;
export declare const median: (values: readonly number[]) => number;
export declare const describeMachine: () => Readonly<Record<string, string | number>>;
