/**
 * The tests that judge a release: searches, outages, and procedures that take minutes. `npm run test:long` runs them, `npm test` all
 * others. Durations in seconds, of one file alone on two idle cores.
 */
export const LONG_TESTS: Readonly<Record<string, { readonly finds: string; readonly seconds: number }>> = {
  'test/activities/odd-answers.test.ts': {
    finds: 'an odd answer of a platform that is neither stored nor a known failure',
    seconds: 20,
  },
  'test/activities/platform-faults.test.ts': {
    finds: 'a day on which a platform answers all requests with an error ends a connection, or loses work',
    seconds: 95,
  },
  'test/api/admin/every-mutation.test.ts': {
    finds: 'a mutation that a role or an old session may send and must not, or that the audit log does not name',
    seconds: 60,
  },
  'test/api/resolvers/overload.test.ts': {
    finds: 'an overload after which the API does not recover, or keeps memory',
    seconds: 20,
  },
  'test/browser/connect-pages.test.ts': {
    finds: 'a page of the connect flow that does not fit, or breaks accessibility, in some language or color',
    seconds: 40,
  },
  'test/browser/tasks/administer.test.ts': { finds: 'a task of an administrator that takes more steps', seconds: 60 },
  'test/browser/tasks/any-id.test.ts': { finds: 'an id of the docs that the console does not find', seconds: 25 },
  'test/browser/tasks/forms.test.ts': {
    finds: 'a form of the console that loses or accepts a wrong value',
    seconds: 45,
  },
  'test/browser/tasks/health.test.ts': {
    finds: 'a task in which an operator judges a platform that takes more steps',
    seconds: 20,
  },
  'test/browser/tasks/states.test.ts': { finds: 'a state of the service that the console shows wrongly', seconds: 40 },
  'test/build/image.test.ts': { finds: 'an image that lacks a file, or holds one too many', seconds: 25 },
  'test/build/patterns.test.ts': { finds: 'a regular expression that takes more than linear time', seconds: 25 },
  'test/cli/cli.test.ts': {
    finds: 'a command that behaves differently in the built program than in the tests of each command',
    seconds: 100,
  },
  'test/cli/try-provider.test.ts': {
    finds: "a laboratory for platforms that hides a platform's answers",
    seconds: 20,
  },
  'test/fourth/fourth.test.ts': { finds: 'a step in the guide to adding a platform that does not work', seconds: 40 },
  'test/orders/orders.test.ts': { finds: 'an order of two operations that breaks a promise', seconds: 60 },
  'test/stack/callers-guide.test.ts': { finds: 'a request of the guide for callers that does not work', seconds: 30 },
  'test/stack/clocks.test.ts': {
    finds: 'a machine whose clock is off, and its early and late actions',
    seconds: 30,
  },
  'test/stack/console.test.ts': {
    finds: 'a page of the console that does not work, or breaks accessibility',
    seconds: 150,
  },
  'test/stack/expensive-requests.test.ts': {
    finds: 'a request within every bound that keeps the API busy for longer than others notice',
    seconds: 20,
  },
  'test/stack/faults.test.ts': {
    finds: 'a promise that random failures of processes and databases break',
    seconds: 50,
  },
  'test/stack/minimal.test.ts': {
    finds: 'a change after which the examples in JavaScript, Python or Go no longer work',
    seconds: 65,
  },
  'test/stack/procedures.test.ts': {
    finds: 'a command of the long procedures in the docs that does not work',
    seconds: 60,
  },
  'test/stack/restore.test.ts': {
    finds: 'erased data or revoked keys that a restored backup brings back',
    seconds: 30,
  },
  'test/stack/sandbox-command.test.ts': {
    finds: 'a command of the sandbox that does not work',
    seconds: 25,
  },
  'test/stack/shutdown.test.ts': { finds: 'a request or job that is lost when a process stops', seconds: 25 },
  'test/stack/survival.test.ts': {
    finds: 'work that is lost when Temporal is away',
    seconds: 25,
  },
  'test/stack/telemetry.test.ts': { finds: 'a metric, trace or alert of the docs that never comes', seconds: 60 },
  'test/stack/webhooks.test.ts': {
    finds: 'a webhook that libraries other than ours do not verify, or that the example misses',
    seconds: 20,
  },
  'test/stack/whole-path.test.ts': {
    finds: 'a step of a connect over HTTP, with real processes, that fails or leaves a secret in a log or history',
    seconds: 50,
  },
  'test/store/plans.test.ts': { finds: 'a statement that reads many rows for each that it returns', seconds: 45 },
  'test/worker/ended-by-hand.test.ts': {
    finds: 'a workflow that an operator ends by hand, and whose work nothing takes up again',
    seconds: 50,
  },
  'test/worker/full-speed.test.ts': {
    finds: 'people who return with made-up codes at full speed, and hold up another app',
    seconds: 30,
  },
  'test/worker/key-rotation.test.ts': { finds: 'a request that fails while every key is replaced', seconds: 40 },
  'test/worker/library-lines.test.ts': {
    finds: 'a log line of the native library that is not JSON, or quotes a value',
    seconds: 20,
  },
  'test/worker/stolen-dump.test.ts': { finds: 'a credential that a stolen dump contains in plain text', seconds: 20 },
  'test/worker/versioning.test.ts': {
    finds: 'work that is lost while workers move to a new version',
    seconds: 16,
  },
  'test/workflows/crash.test.ts': {
    finds: 'a call of a crashed worker that no other worker takes over',
    seconds: 16,
  },
  'test/workflows/defects.test.ts': { finds: 'work that a defective build ends for good', seconds: 60 },
  'test/year/year.test.ts': {
    finds: 'the remains of days of use and upkeep',
    seconds: 40,
  },
};
