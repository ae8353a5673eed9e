export declare const CASES: readonly string[];
export declare const chooseCases: (only: readonly string[] | undefined) => readonly string[];
