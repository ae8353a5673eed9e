/** A case that is ready: each call does the same amount of work. */
export type Case = () => Promise<Turn>;

/** The duration of one turn. */
export interface Turn {
  readonly jobs: number;
  readonly ms: number;
  readonly processorMs: Readonly<Record<string, number>>;
}

/** Cases that share services. */
export interface Stage {
  open(name: string): Promise<Case> | undefined;
  /** Starts the processes under test again, since each compiles its code a little differently. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}
