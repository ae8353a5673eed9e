export declare const findBase: (ref: string | undefined, root?: string) => string;
export declare const prepareBase: (commit: string) => Promise<string>;
