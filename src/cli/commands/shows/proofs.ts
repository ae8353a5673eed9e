import type { Row } from '../../format.ts';
import { toRows } from '../../to-rows.ts';
import { formatSecond } from './format.ts';

interface Verified {
  readonly isValid: boolean;
  /** The fields of a valid document of this service: sentences, and what it deleted and kept. */
  readonly statement?: string;
  readonly remains?: string;
  readonly deleted?: readonly string[];
  readonly kept?: readonly { readonly what: string; readonly until: string | null }[];
}

/** Adds what the document proves. Another service's document proves nothing. */
export const showVerified = (isValid: boolean, _options: object, { document }: { document?: unknown }): Verified => ({
  isValid,
  ...(isValid && JSON.parse(String(document))),
});

/** Without the sentences that all of them have. */
export const briefVerified = ({ statement: _, remains: __, deleted, kept, ...facts }: Verified): Row => ({
  ...(toRows(facts) as Row),
  ...(deleted && { deleted: deleted.join(', ') }),
  ...(kept && { kept: kept.map(describeKept).join(';\n').split('\n') }),
});

const describeKept = ({ what, until }: { readonly what: string; readonly until: string | null }) =>
  until === null ? what : `${what}, until ${formatSecond(until)}`;
