/**
 * The tests that judge a release: searches, and procedures that take minutes. `npm run test:long` runs them, `npm test` all others;
 * `npm run codegen` writes the table of CONTRIBUTING.md from this one.
 */
export const LONG_TESTS: Readonly<Record<string, { readonly finds: string; readonly seconds: number }>> = {
  'test/activities/platform-faults.test.ts': {
    finds: 'a day on which a platform answers everybody with an error ends a connection, or loses work',
    seconds: 75,
  },
  'test/api/admin/every-mutation.test.ts': {
    finds:
      'an operation of operators that a role or an old session may send and must not, or that the audit log does not name',
    seconds: 150,
  },
  'test/model/model.test.ts': {
    finds: 'a sequence of calls after which callers read something else than the specification',
    seconds: 20,
  },
  'test/orders/orders.test.ts': { finds: 'an order of two operations that breaks a promise', seconds: 40 },
  'test/stack/faults.test.ts': {
    finds: 'a promise that random failures of processes and databases break',
    seconds: 60,
  },
  'test/stack/pictures.test.ts': { finds: 'a picture of the docs that the console no longer shows', seconds: 15 },
  'test/stack/procedures.test.ts': {
    finds: 'a command of the long procedures in the docs that does not work',
    seconds: 60,
  },
  'test/worker/ended-by-hand.test.ts': {
    finds: 'a workflow that an operator ends by hand, and whose work nothing takes up again',
    seconds: 30,
  },
  'test/year/year.test.ts': {
    finds: 'something that days of upkeep, restores and rotations of keys leave behind',
    seconds: 20,
  },
};
