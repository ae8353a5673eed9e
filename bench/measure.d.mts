/** The types of `measure.mjs`, for benchmarks in TypeScript. */
export declare const cpuOf: (pid: number) => number;
export declare const cpuOfFamily: (pid: number) => number;
export declare const parentOf: (pid: number) => number;
export declare const quantile: (values: readonly number[], part: number) => number;
export declare const median: (values: readonly number[]) => number;
export declare const describeMachine: () => Readonly<Record<string, string | number>>;
export declare const findListener: (port: number) => number;

/** What the programs in JavaScript exchange; the checker reads them loosely. */
type Loose = ReturnType<typeof JSON.parse>;
export declare const memoryOf: (pid: number) => number;
export declare const startLoad: () => Promise<{ ask(message: object): Promise<Loose>; stop(): Promise<void> }>;
export declare const interleave: (load: object, programs: readonly object[], options: object) => Promise<Loose[][]>;
export declare const summarize: (programs: readonly object[], slices: readonly object[][]) => Loose[];
export declare const printTable: (title: string, lines: readonly (readonly string[])[]) => void;
