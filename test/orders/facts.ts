import type { ProviderName } from '../../src/basics/codes.ts';
import type { ConnectionId, IssuerId, JobId, RegistrationId } from '../../src/basics/ids.ts';
import type { Answer } from '../kit/graphql.ts';
import type { SeededApp, SubjectScope } from '../kit/seed.ts';

/** An attempt whose person has consented: the browser holds the callback. */
export interface Consented {
  readonly session: Answer;
  readonly scope: SubjectScope;
  readonly provider: ProviderName;
  readonly callback: string;
}

/** The contents of a state, from which operations choose their objects. */
export interface Facts {
  readonly app: SeededApp;
  readonly scope: SubjectScope;
  readonly provider: ProviderName;
  /** The account of `connectionId`. */
  account: string;
  /** The connection of the scope. */
  connectionId?: ConnectionId;
  /** Another connection: of another scope, app or account. */
  other?: { readonly app: SeededApp; readonly scope: SubjectScope; readonly connectionId: ConnectionId };
  /** A session that has not been launched. */
  created?: Answer;
  /** Unfinished attempts, oldest first. */
  readonly attempts: Consented[];
  /** Whether the state is about signing in. */
  hasIdentity?: boolean;
  createdSignIn?: Answer;
  signIn?: { readonly session: Answer; readonly callback: string };
  /** A post that the service has stored. */
  post?: { readonly id: string; readonly url: string };
  /** A job of the connection. */
  jobId?: JobId;
  hasBulk?: boolean;
  hasFailedRevoke?: boolean;
  /** The platform refuses the client, and the service knows. */
  isRejected?: boolean;
  /** Of all clients. */
  readonly clientSecret: string;
  readonly endpointId: string;
  readonly secondIssuer: IssuerId;
  readonly secondRegistration: RegistrationId;
  /** Tokens of another system. */
  imported?: { readonly accessToken: string };
  /** The accounts that a person has removed us from, at the platform. */
  readonly removed: Set<string>;
  /** How far Temporal's clock is ahead of the database's. */
  skewMs?: number;
  /** The platform's outages until all is brought to quiet. */
  fault?: { readonly provider: ProviderName; readonly route: string };
}

/** How an operation ended. */
export interface Outcome {
  readonly name: string;
  /** Whether its process lived to its end, and Temporal did not give it up. */
  readonly isWhole: boolean;
  /** A refusal is the text of its code. */
  readonly outcome: unknown;
}
