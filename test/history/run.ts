import type { Entry } from './history.ts';

/** The platforms' own record at the end of a run. */
export interface PlatformRecord {
  /** Every consent of every account. */
  readonly grants: readonly {
    readonly account: string;
    readonly provider: string;
    /** Whether it is alive and a live token of it exists. */
    readonly isUsable: boolean;
    /** Whether a person or a revoke has ended it. */
    readonly hasEnded: boolean;
    /** Whether the service keeps its tokens, or has to spare it for a grant in use; undefined if not looked at. */
    readonly isKept?: boolean;
  }[];
  readonly posts: readonly {
    readonly id: string;
    readonly account: string;
    readonly publishedAt: number | null;
    readonly isPublic: boolean;
    /** At the start of the run. */
    readonly views: string | null;
  }[];
  readonly calls: readonly {
    readonly account: string | null;
    readonly route: string;
    readonly grantType: string | null;
    readonly fault: string | null;
    readonly violations: readonly string[];
  }[];
}

/** The state of the service at the end of a run. */
export interface Remains {
  /** Work that should have ended and has not: a job, a hold, a claim, an outbox entry, a workflow. */
  readonly open: readonly string[];
  /** Where something of an erased person was found. */
  readonly traces: readonly { readonly flow: string; readonly where: string }[];
  /** Our processes that exited without a kill, once for each time, with the error. */
  readonly crashes: readonly string[];
}

export interface Run {
  readonly entries: readonly Entry[];
  readonly platform: PlatformRecord;
  readonly remains: Remains;
}

/** A run without a single reading. */
export const EMPTY: Run = {
  entries: [],
  platform: { grants: [], posts: [], calls: [] },
  remains: { open: [], traces: [], crashes: [] },
};

/** A call as the sandbox has it. */
export interface Called extends Omit<PlatformRecord['calls'][number], 'grantType'> {
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The calls at the platforms. Of their parameters, only the kind of a grant. */
export const recordCalls = (calls: readonly Called[]): PlatformRecord['calls'] =>
  calls.map(({ account, route, parameters: { grant_type: type }, fault, violations }) => ({
    account,
    route,
    grantType: typeof type === 'string' ? type : null,
    fault,
    violations,
  }));

/** A broken promise, in the flow of a person, or `run`. */
export interface Broken {
  readonly flow: string;
  readonly message: string;
}
