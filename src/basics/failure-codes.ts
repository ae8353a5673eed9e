/*
 * Every code with which an attempt to connect or a job can end, and everything that the service and its documents say of it. A new code
 * is a row here. `npm run codegen` writes the rows into schema.graphql and docs/callers-codes.md. src/basics/failures.ts has the failures
 * that lead to a code.
 */

interface Column {
  /** What the end says about the platform: the person, the app or an operator may have decided it. */
  readonly blames: 'PLATFORM' | 'NOT_PLATFORM';
  /** For the person on call. */
  readonly explains: string;
  /** Later, in the export of a person's data: to that person. */
  readonly recalls: string;
  /** In schema.graphql, after the code. */
  readonly note?: string;
}

/** A value of `ConnectSessionResult.resultCode`. */
interface AttemptColumn extends Column {
  /** In docs/callers-codes.md: what the caller tells the user. */
  readonly tell: string;
  /** The status of the attempt in docs/callers-codes.md. */
  readonly status: 'COMPLETED' | 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED';
  /** Set if the same import can succeed later, when an operator or a disconnect has finished. */
  readonly canPass?: true;
}

/** A value of `SyncJob.errorCode`. */
interface JobColumn extends Column {
  /** Whether a scan that ends so keeps what it has read and can be continued: always, or only if it has read its whole window. */
  readonly isPartial: 'ALWAYS' | 'AT_END' | 'NEVER';
  /** The next step of a job that has not ended, for the person on call. */
  readonly next?: string;
  /** In docs/callers-codes.md: what the caller does. */
  readonly do: string;
}

const FAILURE_CODES = {
  ACCESS_DENIED: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains: 'The person or the provider denied access.',
      status: 'DENIED',
      tell: 'you chose not to allow access',
      recalls: 'you or the platform denied access',
    },
  },
  MISSING_PERMISSION: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains: 'No requested capability was granted.',
      status: 'FAILED',
      tell: 'you allowed none of the permissions we asked for. Try again, and keep every box ticked',
      recalls: 'none of the requested permissions was given',
    },
  },
  ACCOUNT_UNUSABLE: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains:
        'The account has nothing to connect, such as a Google account without a channel or a personal Instagram account.',
      note: 'the account has nothing to connect, such as no channel',
      status: 'FAILED',
      tell: 'this account has nothing to connect. At YouTube, create a channel. At Instagram, switch to a professional account',
      recalls: 'the account had nothing to connect',
    },
    job: {
      blames: 'NOT_PLATFORM',
      isPartial: 'NEVER',
      explains:
        'The account can no longer be served: its channel is gone, or it is no professional account any more. Its owner must change that at the provider.',
      note: 'the account can no longer be served',
      do: 'tell the user: the channel is gone (YouTube), or the account is no longer professional (Instagram). The service checks it daily',
      recalls: 'the platform no longer let us read the account',
    },
  },
  PARTIAL_PERMISSION: {
    attempt: {
      blames: 'PLATFORM',
      explains: 'Connected with fewer capabilities than requested.',
      note: 'completed with fewer capabilities than requested',
      status: 'COMPLETED',
      tell: 'connected with fewer capabilities. Reconnect and allow the rest, if the platform asks for it',
      recalls: 'some of the requested permissions were not given',
    },
  },
  ACCOUNT_MISMATCH: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains: 'The person chose another account than the one to reconnect.',
      note: 'a reconnect returned another account',
      status: 'FAILED',
      tell: 'that was a different account. Choose the same account, or connect it as new',
      recalls: 'it was another account than the one to connect again',
    },
    job: {
      blames: 'NOT_PLATFORM',
      isPartial: 'NEVER',
      explains: "The provider answered about another account than the connection's. Nothing of it is stored.",
      note: 'the provider answered about another account; nothing of it is stored',
      do: 'ask again later. If it stays, offer to reconnect, and tell the operators',
      recalls: 'the platform answered about another account',
    },
  },
  ACCOUNT_DISCONNECTING: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains: 'An account of the same person is being disconnected.',
      status: 'FAILED',
      canPass: true,
      tell: 'an account at this platform is still being disconnected. Wait',
      recalls: 'an account of yours was being disconnected',
    },
  },
  EXCHANGE_FAILED: {
    attempt: {
      blames: 'PLATFORM',
      explains: 'The code could not be exchanged for tokens, or the answer was lost.',
      status: 'FAILED',
      tell: 'the platform did not complete the connection. Try again',
      recalls: 'the platform did not complete the connection',
    },
  },
  CLIENT_REFUSED: {
    attempt: {
      blames: 'PLATFORM',
      explains:
        'The provider refuses our client, its request or its settings, or refuses it for this account. Test the registration, and compare its checklist.',
      note: 'the provider refuses this service, or refuses it for this account',
      status: 'FAILED',
      tell: 'the platform does not accept our service, or not for this account. Trying again does not help: tell the operators',
      recalls: 'the platform did not accept this service',
    },
  },
  PROVIDER_UNAVAILABLE: {
    attempt: {
      blames: 'PLATFORM',
      explains: 'The provider could not be reached in time, or reported a failure of its own.',
      status: 'FAILED',
      tell: 'the platform is not available. Try later',
      recalls: 'the platform was not available',
    },
    job: {
      blames: 'PLATFORM',
      isPartial: 'ALWAYS',
      explains: 'The provider did not answer, or reported an error of its own.',
      next: 'The job retries.',
      do: 'ask again later',
      recalls: 'the platform was not available',
    },
  },
  PROVIDER_RATE_LIMITED: {
    job: {
      blames: 'PLATFORM',
      isPartial: 'ALWAYS',
      explains:
        'The provider limits our requests, our own rate limit for it is reached, or its daily quota is used up.',
      next: 'The job retries when the provider allows it.',
      do: 'ask again after an hour. If a daily quota is used up, ask again tomorrow',
      recalls: 'a limit on the number of requests was reached',
    },
  },
  RECONNECT_REQUIRED: {
    job: {
      blames: 'PLATFORM',
      isPartial: 'NEVER',
      explains: 'The grant has ended at the provider. Only the person can connect again.',
      do: 'offer to reconnect',
      recalls: 'access had ended',
    },
  },
  CAPABILITY_UNAVAILABLE: {
    job: {
      blames: 'NOT_PLATFORM',
      isPartial: 'NEVER',
      explains: 'The grant, the policy or the provider does not cover this.',
      do: "check the connection's `capabilities`, and offer to reconnect",
      recalls: 'it was not permitted',
    },
  },
  AUTHORIZATION_SUSPENDED: {
    job: {
      blames: 'NOT_PLATFORM',
      isPartial: 'NEVER',
      explains: 'The registration is paused, or the connection is suspended.',
      next: 'The job continues when that ends.',
      do: 'wait',
      recalls: 'access was paused',
    },
  },
  CONTENT_NOT_FOUND: {
    job: {
      blames: 'NOT_PLATFORM',
      isPartial: 'AT_END',
      explains: 'The provider does not return this post for this account.',
      do: "do not ask again. After a lookup with the `incompleteReason` `PROVIDER_LIMIT`, scan the post's days first",
      recalls: 'the post was not found',
    },
  },
  UNSUPPORTED_URL: {
    job: {
      blames: 'NOT_PLATFORM',
      isPartial: 'NEVER',
      explains: 'The URL does not belong to a post at this provider.',
      do: 'ask the user for the address of the opened post: it contains `/p/` or `/reel/`, `/video/`, `/watch` or `/shorts/`. A share link of PROVIDER_C (`/share/…`) does not work',
      recalls: 'the address was not that of a post',
    },
  },
  CONNECTION_DISCONNECTED: {
    job: {
      blames: 'NOT_PLATFORM',
      isPartial: 'NEVER',
      explains: 'The connection was disconnected in the meantime.',
      do: 'show the receipts',
      recalls: 'the account had been disconnected',
    },
  },
  PROVIDER_CONTRACT: {
    job: {
      blames: 'PLATFORM',
      isPartial: 'ALWAYS',
      explains: 'The provider sent an unknown answer. Its API may have changed.',
      do: 'tell the operators: the platform sent an unknown answer',
      recalls: 'the platform sent an answer that we did not understand',
    },
  },
  INTERNAL: {
    attempt: {
      blames: 'PLATFORM',
      explains: 'The service failed or was interrupted. Search the log for the correlation id.',
      note: 'a fault of this service',
      status: 'FAILED',
      tell: 'something went wrong on our side. Try again',
      recalls: 'an error on our side',
    },
    job: {
      blames: 'PLATFORM',
      isPartial: 'AT_END',
      explains: 'The service failed. Search the log for the correlation id.',
      do: 'on a `RUNNING` job, wait. Otherwise ask again once, then tell the operators',
      recalls: 'an error on our side',
    },
  },
  REGISTRATION_PAUSED: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains: 'The registration was paused in the meantime.',
      status: 'FAILED',
      canPass: true,
      tell: 'new connections to this platform are paused. Try later',
      recalls: 'new connections to the platform were paused',
    },
  },
  POLICY_CHANGED: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains: 'The app, its tenant or its policy no longer allows it.',
      status: 'FAILED',
      canPass: true,
      tell: 'this platform is no longer available here',
      recalls: 'the application no longer allowed it',
    },
  },
  EXPIRED: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains: 'The attempt did not finish within 10 minutes.',
      status: 'EXPIRED',
      tell: 'it took longer than ten minutes. Start again',
      recalls: 'it was not finished within ten minutes',
    },
  },
  CANCELED: {
    attempt: {
      blames: 'NOT_PLATFORM',
      explains: 'The attempt was canceled.',
      status: 'CANCELED',
      tell: 'a disconnect, or a newer attempt, replaced this one',
      recalls: 'a newer attempt or a disconnect replaced it',
    },
  },
} as const satisfies Readonly<Record<string, { readonly attempt?: AttemptColumn; readonly job?: JobColumn }>>;

type Codes = typeof FAILURE_CODES;
type CodesWith<Name extends 'attempt' | 'job'> = {
  [Code in keyof Codes]: Codes[Code] extends Readonly<Record<Name, object>> ? Code : never;
}[keyof Codes];
export type ResultCode = CodesWith<'attempt'>;
export type JobErrorCode = CodesWith<'job'>;

const columnOf = (name: 'attempt' | 'job') =>
  Object.fromEntries(
    Object.entries<Readonly<Record<string, unknown>>>(FAILURE_CODES).flatMap(([code, row]) =>
      name in row ? [[code, row[name]]] : [],
    ),
  );
export const ATTEMPT_ENDS = columnOf('attempt') as Readonly<Record<ResultCode, AttemptColumn>>;
export const JOB_ENDS = columnOf('job') as Readonly<Record<JobErrorCode, JobColumn>>;

/** Values of `ConnectSessionResult.resultCode`. */
export const RESULT_CODES = Object.keys(ATTEMPT_ENDS) as readonly ResultCode[];
/** Values of `SyncJob.errorCode`. Code generation and tests read them. @internal */
export const JOB_ERROR_CODES = Object.keys(JOB_ENDS) as readonly JobErrorCode[];
