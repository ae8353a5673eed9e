/**
 * Answers that a platform gave to others, in the shape in which their client's test data keeps them. Ids, names, texts
 * and pictures are invented; fields, types, forms and order are as recorded.
 */
export interface Recording {
  /** Repository, path and date of the recording. */
  readonly source: string;
  readonly call: 'exchange' | 'account' | 'list' | 'read';
  /** The answers in the order of the adapter's calls. A text is sent as it is: its numbers may exceed 2^53. */
  readonly answers: readonly (object | string)[];
  /** The adapter's result. */
  readonly expected: object;
  /** The permissions of the grant, if not all. */
  readonly permissions?: readonly string[];
}
