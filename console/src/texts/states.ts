import type { MantineColor } from '@mantine/core';
import type {
  ConnectionDetailsFragment,
  ConnectionStatus,
  ConnectSessionStatus,
  GrantStatus,
  HealthLevel,
  IdpIdentityStatus,
  JobDetailsFragment,
  JobStatus,
  RegistrationDetailsFragment,
  SyncStatus,
  WebhookDeliveryDetailsFragment,
} from '../generated/operations.ts';

/** The name of a state, its color, and its meaning in one sentence. The only vocabulary of states in the console. */
export interface State {
  readonly label: string;
  readonly color: MantineColor;
  readonly meaning: string;
}

type Vocabulary<Key extends string> = Readonly<Record<Key, State>>;

const state = (label: string, color: MantineColor, meaning: string): State => ({ label, color, meaning });

/** A CONNECTED connection that its app cannot read is in a state of its own: the obstacle. */
type ConnectionState = ConnectionStatus | 'GRANT_ENDED' | 'REGISTRATION_PAUSED' | 'NOT_SERVED' | 'NOT_ALLOWED';

export const CONNECTION_STATES: Vocabulary<ConnectionState> = {
  CONNECTED: state('connected', 'teal', 'The account is connected, and its app can read it.'),
  GRANT_ENDED: state('reconnect required', 'orange', 'The grant has ended. Only the person can reconnect.'),
  REGISTRATION_PAUSED: state('paused', 'orange', 'The account is connected, but its registration is paused.'),
  NOT_SERVED: state('not served', 'orange', 'The account is connected, but its registration no longer serves the app.'),
  NOT_ALLOWED: state(
    'not allowed',
    'red',
    'The account is connected, but the app is disabled, or its tenant or its policy no longer allows it.',
  ),
  SUSPENDED: state('suspended', 'orange', 'It waits until another account of the same person is disconnected.'),
  RECONNECT_REQUIRED: state('reconnect required', 'orange', 'The grant has ended. Only the person can reconnect.'),
  DISCONNECTED: state('disconnecting', 'blue', 'Its app has no access any more. The grant is being revoked.'),
  DELETING: state('erasing', 'blue', 'The revoke has settled. The remaining data is being erased.'),
};

/** A list of its own: the errors of a read for which a connection has a state. */
const STATE_OF_READ: Readonly<Record<string, ConnectionState>> = {
  RECONNECT_REQUIRED: 'GRANT_ENDED',
  AUTHORIZATION_SUSPENDED: 'REGISTRATION_PAUSED',
  CAPABILITY_UNAVAILABLE: 'NOT_SERVED',
  FORBIDDEN: 'NOT_ALLOWED',
};

/** The state of a connection: its status, unless that is CONNECTED while its app cannot read it. */
export function getConnectionState({
  status,
  readErrorCode,
}: Pick<ConnectionDetailsFragment, 'status' | 'readErrorCode'>): State {
  if (status !== 'CONNECTED' || readErrorCode === null) return CONNECTION_STATES[status];
  const key = STATE_OF_READ[readErrorCode];
  if (key !== undefined) return CONNECTION_STATES[key];
  return state('not readable', 'orange', `The account is connected, but a read answers ${readErrorCode}.`);
}

export const SYNC_STATES: Vocabulary<SyncStatus> = {
  PENDING: state('not read yet', 'blue', 'No scan of its posts has run yet.'),
  RUNNING: state('reading', 'blue', 'A scan reads its posts now.'),
  READY: state('up to date', 'teal', 'The last scan read its whole window within 24 hours.'),
  PARTIAL: state('partial', 'orange', 'The last scan stopped before the end of its window; it can be continued.'),
  STALE: state('stale', 'orange', 'The last complete scan is more than 24 hours old.'),
  FAILED: state('failed', 'red', 'The last scan failed and stored nothing.'),
};

export const ATTEMPT_STATES: Vocabulary<ConnectSessionStatus> = {
  CREATED: state('created', 'blue', 'The app has asked for it; the person has not opened the link.'),
  AUTHORIZING: state('at the provider', 'blue', 'The person is on the page of the provider.'),
  EXCHANGING: state('exchanging', 'blue', 'The person has answered; the service fetches the tokens.'),
  COMPLETED: state('connected', 'teal', 'The account was connected.'),
  DENIED: state('denied', 'orange', 'The person or the provider denied access.'),
  FAILED: state('failed', 'red', 'The account could not be connected.'),
  EXPIRED: state('expired', 'gray', 'It did not finish within 10 minutes.'),
  CANCELED: state('canceled', 'gray', 'The app or an operator canceled it.'),
};

export const SIGN_IN_STATES: Vocabulary<IdpIdentityStatus> = {
  PENDING: state('pending', 'blue', 'The person has not returned from the issuer.'),
  COMPLETED: state('signed in', 'teal', 'The issuer has named the person.'),
  DENIED: state('denied', 'orange', 'The person or the issuer denied it.'),
  FAILED: state('failed', 'red', 'The issuer’s answer could not be used.'),
  EXPIRED: state('expired', 'gray', 'It did not finish within 10 minutes.'),
};

type JobState = JobStatus | 'LEFT_TO_PERSON';

export const JOB_STATES: Vocabulary<JobState> = {
  QUEUED: state('queued', 'blue', 'It has not started.'),
  RUNNING: state('running', 'blue', 'It is being worked on.'),
  SUCCEEDED: state('succeeded', 'teal', 'It has done its work.'),
  LEFT_TO_PERSON: state(
    'left to the person',
    'orange',
    'No revoke was sent: the provider offers none, or the person may have another grant in use there. They still see the app there, until they remove it. The receipt tells the app.',
  ),
  FAILED: state('failed', 'red', 'It has ended without success.'),
  CANCELED: state('canceled', 'gray', 'It was not needed any more.'),
};

/** A revoke that was not sent has succeeded for us, but not for the person. */
export const getJobState = ({ status, creatorAction }: Pick<JobDetailsFragment, 'status' | 'creatorAction'>): State =>
  JOB_STATES[status === 'SUCCEEDED' && creatorAction !== null ? 'LEFT_TO_PERSON' : status];

export const GRANT_STATES: Vocabulary<GrantStatus> = {
  PENDING: state('pending', 'blue', 'Exchanged, and not yet used by a connection.'),
  LIVE: state('live', 'teal', 'In use by its connection.'),
  REVOKING: state('revoking', 'blue', 'It waits to be revoked at the provider.'),
  DEAD: state('ended', 'gray', 'It has ended; its tokens are deleted.'),
};

type RegistrationState = 'ACTIVE' | 'UNTRIED' | 'UNCONFIRMED' | 'PAUSED' | 'REJECTED' | 'DOUBTED';

const REGISTRATION_STATES: Vocabulary<RegistrationState> = {
  ACTIVE: state('active', 'teal', 'The provider has accepted the client.'),
  UNTRIED: state(
    'not tried yet',
    'gray',
    'No one has connected with this client since its secret was stored. Test it before the first person does.',
  ),
  UNCONFIRMED: state(
    'not confirmed',
    'gray',
    'The provider has not accepted this client since it was last asked or last refused it. Test it before the next person connects.',
  ),
  PAUSED: state('paused', 'orange', 'An operator has paused it: no reads and no new attempts.'),
  REJECTED: state(
    'rejected by the provider',
    'red',
    'The provider refuses the client: its id, secret or set-up is wrong.',
  ),
  DOUBTED: state(
    'many accounts refused',
    'red',
    'The provider refuses unusually many accounts, so they stay as they are.',
  ),
};

/** The states of a registration, each with the instant since which it lasts. One at least. */
export function listRegistrationStates({
  pausedAt,
  rejectedAt,
  doubtedAt,
  accepted,
  testedAt,
}: Pick<RegistrationDetailsFragment, 'pausedAt' | 'rejectedAt' | 'doubtedAt' | 'accepted' | 'testedAt'>): {
  state: State;
  since: string | null;
}[] {
  const found = [
    pausedAt !== null && { state: REGISTRATION_STATES.PAUSED, since: pausedAt },
    rejectedAt !== null && { state: REGISTRATION_STATES.REJECTED, since: rejectedAt },
    doubtedAt !== null && { state: REGISTRATION_STATES.DOUBTED, since: doubtedAt },
    rejectedAt === null &&
      !accepted && { state: REGISTRATION_STATES[testedAt === null ? 'UNTRIED' : 'UNCONFIRMED'], since: null },
  ].filter((one) => one !== false);
  return found.length > 0 ? found : [{ state: REGISTRATION_STATES.ACTIVE, since: null }];
}

export const HEALTH_STATES: Vocabulary<HealthLevel> = {
  FAILING: state('Failing', 'red', 'At least half of something fails, or the provider refuses our client.'),
  DEGRADED: state('Degraded', 'orange', 'More fails than usual, or something waits.'),
  NOT_KNOWN: state('Not known', 'gray', 'Temporal does not answer, so whether work makes progress is not known.'),
  HEALTHY: state('Healthy', 'teal', 'Work ended lately, and no more of it failed than usual.'),
  QUIET: state('No recent work', 'gray', 'Nothing ended lately and nothing is open, so nothing is known.'),
};

const APP_STATES: Vocabulary<'READY' | 'INCOMPLETE' | 'DISABLED'> = {
  READY: state('ready', 'teal', 'It is set up: people can connect accounts.'),
  INCOMPLETE: state('incomplete', 'orange', 'Something is missing before people can connect accounts.'),
  DISABLED: state('disabled', 'gray', 'An operator has disabled it: its keys do not work.'),
};

export const getAppState = (enabled: boolean, missing: readonly string[]): State =>
  APP_STATES[enabled ? (missing.length === 0 ? 'READY' : 'INCOMPLETE') : 'DISABLED'];

/** Other closed codes: of deliveries and of the audit log. */
const OTHERS: Readonly<Record<string, State>> = {
  PENDING: state('pending', 'blue', 'It waits for its next try.'),
  DELIVERED: state('delivered', 'teal', 'The endpoint accepted it.'),
  DONE: state('done', 'teal', 'It was done.'),
  FAILED: state('failed', 'red', 'It failed.'),
  FORBIDDEN: state('forbidden', 'red', 'The role was too low.'),
  UNAUTHENTICATED: state('unauthenticated', 'red', 'There was no valid credential.'),
};

/** The state of a delivery: its status, unless it waits for its endpoint or after a failed try of its own. */
export const getDeliveryState = ({
  status,
  lastFailure,
  waitsForEndpoint,
}: Pick<WebhookDeliveryDetailsFragment, 'status' | 'lastFailure' | 'waitsForEndpoint'>): State => {
  if (status !== 'PENDING') return getState(status);
  if (waitsForEndpoint)
    return state('waits for endpoint', 'orange', 'Its endpoint is paused after failures, or disabled.');
  return lastFailure === null
    ? getState(status)
    : state('retrying', 'orange', 'A try has failed. The service tries again.');
};

/** Shows `SOME_CODE` as `some code` where there is no name of its own. */
export const getState = (code: string): State =>
  OTHERS[code] ?? state(code.toLowerCase().replaceAll('_', ' '), 'gray', code);

export const CAPABILITY_MEANINGS: Readonly<Record<string, string>> = {
  PROFILE: 'Read the name and picture of the account',
  CONTENT_LIST: 'List posts',
  CONTENT_LOOKUP: 'Look a post up by its URL',
  CONTENT_METRICS: 'Read the numbers of a post',
};

/** The last page that refused a browser of an attempt or a sign-in, as an event of its timeline. */
export const toRefusedBrowser = ({ lastRefusal, lastRefusalMessage, lastRefusedAt }: RefusedBrowser) => ({
  at: lastRefusal === null ? null : lastRefusedAt,
  title: 'A browser was refused',
  text: lastRefusalMessage ?? lastRefusal,
  color: 'orange',
});

interface RefusedBrowser {
  readonly lastRefusal: string | null;
  readonly lastRefusalMessage: string | null;
  readonly lastRefusedAt: string | null;
}
