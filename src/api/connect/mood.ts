/** The picture of a page. */
export type Mood = 'stop' | 'wait' | 'lost' | 'done';
