/** The findings of a trial. Each item of a checklist names those that its absence causes. */
export type Symptom =
  /** The platform refuses the client id or the secret. */
  | 'CLIENT_REFUSED'
  /** The browser never came back: the platform showed a page of its own. */
  | 'NO_CALLBACK'
  /** The code was refused. */
  | 'EXCHANGE_REFUSED'
  /** The person could not grant a permission, or did not. */
  | 'PERMISSION_MISSING'
  /** The consent worked, and the account cannot be read. */
  | 'ACCOUNT_UNUSABLE'
  /** Reads are refused for our client's sake. */
  | 'READS_REFUSED'
  | 'QUOTA_SPENT'
  /** The grant ends within days. */
  | 'SHORT_GRANT';

/** One thing that must be set up at a platform's console. */
export interface ChecklistItem {
  readonly id: string;
  /** The required setting there. */
  readonly item: string;
  /** The behavior of the platform without it. */
  readonly without: string;
  /** How that looks here. */
  readonly here: string;
  /** Empty if a trial cannot find its absence. */
  readonly symptoms: readonly Symptom[];
}
