import { findEntry } from '../answers.ts';

/**
 * Whether the public can see a video in each state (https://developers.google.com/youtube/v3/docs/videos). A value that is not listed here is not
 * known to be public. A scheduled video (`status.publishAt`) is private until then. An unlisted one is open to everyone who has its URL.
 */
const PRIVACY: Readonly<Record<string, boolean>> = { public: true, unlisted: true, private: false };
const UPLOAD: Readonly<Record<string, boolean>> = {
  processed: true,
  /** Being processed. A live stream is in this state, too. */
  uploaded: false,
  failed: false,
  rejected: false,
  deleted: false,
};
/** A premiere or a stream that is announced shows only a countdown. */
const BROADCAST: Readonly<Record<string, boolean>> = { none: true, live: true, upcoming: false };

const allows = (states: Readonly<Record<string, boolean>>, value: string | null): boolean =>
  value === null || findEntry(states, value) === true;

/** The state in an entry of the list of uploads; it has no other. */
export const mayBePublished = ({ privacyStatus }: { readonly privacyStatus: string | null }): boolean =>
  allows(PRIVACY, privacyStatus);

interface States {
  readonly privacyStatus: string | null;
  readonly uploadStatus: string | null;
  readonly liveBroadcastContent: string | null;
}

/** A state that the answer lacks counts as public. */
export const isPublished = ({ privacyStatus, uploadStatus, liveBroadcastContent }: States): boolean =>
  allows(PRIVACY, privacyStatus) &&
  allows(BROADCAST, liveBroadcastContent) &&
  (liveBroadcastContent === 'live' || allows(UPLOAD, uploadStatus));
