import type { Platform } from '../../sandbox/src/model.ts';
import type { Person } from '../kit/person.ts';
import type { Caller } from './caller.ts';

const ALL = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const;
/** Those at which a revoke is a call. */
const REVOKING = ['PROVIDER_A', 'PROVIDER_B'] as const;

/** The actions of a person between the backup and the disaster. */
interface Fate {
  readonly name: string;
  readonly providers: readonly [Platform, ...Platform[]];
  /** Its tokens are refreshed: the backup has the tokens before that. */
  readonly refreshes?: true;
  readonly reconnects?: true;
  /** The platform refuses each revoke of this account until the backup is back. */
  readonly waits?: true;
  /** A person who leaves `before` the backup, whose platform is away then: the backup has an unfinished disconnect. */
  readonly leaves?: 'before' | 'byApp' | 'byOperator';
  /** Disconnects after the restore without a reconnect. */
  readonly leavesAtLast?: true;
  /** Connects after the backup, which does not have this person. */
  readonly isNew?: true;
}

export const FATES: readonly Fate[] = [
  { name: 'stays', providers: ['PROVIDER_A'] },
  { name: 'stays', providers: ['PROVIDER_B', 'PROVIDER_C'] },
  { name: 'is refreshed', providers: ['PROVIDER_B'], refreshes: true },
  { name: 'is refreshed, leaves at last', providers: ['PROVIDER_B'], refreshes: true, leavesAtLast: true },
  { name: 'reconnects', providers: ALL, reconnects: true },
  { name: 'reconnects, leaves at last', providers: REVOKING, reconnects: true, leavesAtLast: true },
  { name: 'leaves', providers: ['PROVIDER_A'], leaves: 'byApp' },
  { name: 'leaves', providers: ['PROVIDER_B', 'PROVIDER_C'], leaves: 'byApp' },
  { name: 'leaves, its revoke waits', providers: REVOKING, leaves: 'byApp', waits: true },
  {
    name: 'is refreshed and leaves, its revoke waits',
    providers: ['PROVIDER_B'],
    refreshes: true,
    leaves: 'byApp',
    waits: true,
  },
  { name: 'reconnects and leaves', providers: ALL, reconnects: true, leaves: 'byApp' },
  {
    name: 'reconnects and leaves, its revoke waits',
    providers: REVOKING,
    reconnects: true,
    leaves: 'byApp',
    waits: true,
  },
  { name: 'left before the backup', providers: REVOKING, leaves: 'before' },
  { name: 'is erased', providers: ALL, leaves: 'byOperator' },
  { name: 'is erased, its revoke waits', providers: REVOKING, leaves: 'byOperator', waits: true },
  { name: 'reconnects and is erased', providers: REVOKING, reconnects: true, leaves: 'byOperator' },
  { name: 'is new', providers: ALL, isNew: true },
  { name: 'is new', providers: REVOKING, isNew: true },
];
/** People of a round. */
export const PEOPLE = FATES.length;

/** A person of a round. */
export interface Member {
  readonly fate: Fate;
  /** Its fate and platform, for a person. */
  readonly name: string;
  readonly person: Person;
  readonly caller: Caller;
  readonly provider: Platform;
  readonly account: string;
  /** Empty until it is connected. */
  connectionId: string;
}

/** Valid at the backup, revoked after it. */
export interface Credentials {
  readonly keyId: string;
  readonly key: string;
  readonly tokenId: string;
  readonly token: string;
}
