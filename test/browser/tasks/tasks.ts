export interface Task {
  /** The id that the operator has, or the page on which they are. */
  readonly startsFrom: string;
  readonly pastes: number;
  readonly clicks: number;
}

/** The operators' urgent tasks, and the steps of each. A change that makes a task longer is seen here. */
export const TASKS = {
  'open the page of anything': { startsFrom: 'an id or a name of it', pastes: 1, clicks: 0 },
  'read why an event did not arrive': { startsFrom: 'the page of the webhook endpoint', pastes: 0, clicks: 1 },
  'notice a wrong client before the first person does': { startsFrom: 'its client id', pastes: 1, clicks: 1 },
  'revoke the right one of two keys': { startsFrom: 'the page of the app', pastes: 0, clicks: 2 },
} as const satisfies Readonly<Record<string, Task>>;
