/** The last row of the page before, in a list that begins with the newest. */
export interface NewestKey {
  readonly at: Date;
  readonly id: string;
}
