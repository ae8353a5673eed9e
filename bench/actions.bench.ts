import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { getSweepScheduleId, SCHEDULES, type ScheduleKind } from '../src/workflows/contract.ts';
import { lastDays, Person } from '../test/kit/person.ts';
import { startTestService, type TestService } from '../test/kit/service.ts';
import { openReceiver } from '../test/kit/webhook-receiver.ts';
import { addEndpoint } from '../test/stack/webhook-endpoint.ts';
import { connect, launch } from './flows/stage.ts';

/** Each flow runs so often. */
const TIMES = process.env.BENCH_SIZE === 'quick' ? 3 : 10;
/** A multiple of the longest interval of a Schedule: `BENCH_IDLE_MINUTES=60 npm run bench -- --only actions`. */
const IDLE_MINUTES = Number(process.env.BENCH_IDLE_MINUTES ?? (process.env.BENCH_SIZE === 'quick' ? 2 : 15));
const DAY_MINUTES = 24 * 60;
/** Temporal Cloud bills a Schedule's run as so many actions, besides the start of its workflow. */
const ACTIONS_OF_SCHEDULED_RUN = 2;
/** The Schedules' own workflows make these on a server of one's own. Temporal Cloud does not bill them. */
const OF_SCHEDULER = [
  'command_BatchMarkers',
  'command_ModifyWorkflowProperties',
  'command_UpsertWorkflowSearchAttributes',
];

type Actions = Readonly<Record<string, number>>;

/** The server's own counts, by the kind of action. */
async function readActions({ temporalMetricsUrl }: TestService): Promise<Actions> {
  const text = await (await fetch(temporalMetricsUrl)).text();
  const sums: Record<string, number> = {};
  for (const [, type = '', count] of text.matchAll(
    /^action\{action_type="(\w+)",namespace="default"[^}]*\} (\d+)$/gm,
  )) {
    sums[type] = (sums[type] ?? 0) + Number(count);
  }
  return sums;
}

const subtract = (after: Actions, before: Actions): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([type, count]) => {
      const difference = count - (before[type] ?? 0);
      return difference === 0 ? [] : [[type.replace(/^(grpc|command)_/, ''), difference]];
    }),
  );
const sumOf = (actions: Actions): number => Object.values(actions).reduce((sum, count) => sum + count, 0);

const SCHEDULE_IDS = (Object.keys(SCHEDULES) as ScheduleKind[]).map((kind) => getSweepScheduleId('accounts', kind));

async function awaitIdle({ temporalClient }: TestService): Promise<void> {
  const isIdle = async () => (await temporalClient.workflow.count('ExecutionStatus = "Running"')).count === 0;
  await vi.waitUntil(isIdle, { timeout: 120_000, interval: 250 });
  await delay(1_000); // The counters are of another part of the server.
}

describe('actions of Temporal', { timeout: 60 * 60_000 }, () => {
  test('of each flow, and of an idle day', async () => {
    const rates = Object.fromEntries(['A', 'B', 'C'].map((name) => [`PROVIDER_${name}_CALLS_PER_SECOND`, '1000']));
    const service = await startTestService({
      temporalMetrics: true,
      crowd: TIMES,
      adjustments: { ...rates, LOG_LEVEL: 'warn' },
    });
    try {
      const { schedule } = service.temporalClient;
      await vi.waitFor(() => Promise.all(SCHEDULE_IDS.map((id) => schedule.getHandle(id).pause('counting'))), 20_000);
      const rows: object[] = [];
      const countFlow = async (name: string, flow: () => Promise<unknown>) => {
        await awaitIdle(service);
        const before = await readActions(service);
        for (let time = 0; time < TIMES; time += 1) await flow();
        await awaitIdle(service);
        const actions = subtract(await readActions(service), before);
        for (const [type, count] of Object.entries(actions)) actions[type] = Number((count / TIMES).toFixed(1));
        rows.push({ flow: name, actions: Number(sumOf(actions).toFixed(1)), of: JSON.stringify(actions) });
      };
      const { connectionId, person, posts } = await connect(service, 'PROVIDER_B');
      const ended = async ({ id }: { id: string }) =>
        expect((await person.ended(connectionId, id)).status).toBe('SUCCEEDED');
      const consent = async () => await (await launch(service, 'PROVIDER_C')).consent();
      await countFlow('connect, with the first scan', consent);
      await countFlow('connect, denied by the person', async () => {
        const other = new Person(service);
        const session = await other.createSession('PROVIDER_B');
        await other.browser.submit(await other.launch(session), [['decision', 'deny']]);
        await other.finished(session.id);
      });
      let days = 10;
      await countFlow('scan of 100 posts', async () => {
        days += 1;
        await ended(await person.ask('requestRefresh', { connectionId, window: lastDays(days) }));
      });
      const [post] = posts;
      await countFlow('metrics of a post', async () =>
        ended(await person.ask('requestRefresh', { connectionId, providerContentId: post?.providerContentId })),
      );
      await countFlow('lookup of a post', async () =>
        ended(await person.ask('requestContentLookup', { connectionId, url: post?.canonicalUrl })),
      );
      const crowd = service.sandbox.control.accounts('PROVIDER_B').filter(({ note }) => note === 'One of a crowd');
      const leaving: (() => Promise<unknown>)[] = [];
      for (const { id: account } of crowd) {
        const leaver = new Person(service);
        const { connectionId: theirs } = await leaver.connect('PROVIDER_B', account);
        await leaver.synced(theirs);
        leaving.push(() => leaver.disconnect(theirs));
      }
      await countFlow('disconnect', async () => await leaving.pop()?.());
      await countFlow('sign-in, without the end of its claims', async () => {
        const signer = new Person(service);
        const session = await signer.createSignIn();
        const page = await signer.launch(session);
        await signer.agree(page, service.sandbox.control.people()[0]?.sub ?? '', ['email', 'profile']);
        await signer.redeem(session);
        // It waits until the claims expire, and then deletes them: one activity more.
        const run = service.temporalClient.workflow.getHandle(`identity/${session.id}`);
        await vi.waitUntil(async () => {
          const { events } = await run.fetchHistory();
          return events?.filter((event) => event.timerStartedEventAttributes).length === 2;
        }, 60_000);
        await run.terminate();
      });
      const receiver = await openReceiver();
      await addEndpoint(service, receiver.url, ['connection.connected']);
      await countFlow('connect, with the first scan and a webhook', consent);
      await receiver.close();
      console.table(rows);

      await Promise.all(SCHEDULE_IDS.map((id) => schedule.getHandle(id).unpause('counted')));
      await awaitIdle(service);
      const before = await readActions(service);
      await delay(IDLE_MINUTES * 60_000);
      await awaitIdle(service);
      const idle = subtract(await readActions(service), before);
      const runs = idle.StartWorkflowExecution ?? 0;
      const billed = runs * (1 + ACTIONS_OF_SCHEDULED_RUN) + (idle.ScheduleActivityTask ?? 0);
      const aDay = (count: number) => Math.round((count / IDLE_MINUTES) * DAY_MINUTES);
      console.log(
        `\nIdle for ${IDLE_MINUTES} minutes: ${JSON.stringify(idle)}; the Schedules make ${OF_SCHEDULER.join(', ')}`,
      );
      console.log(`A day: ${aDay(runs)} workflows; Temporal Cloud bills ${aDay(billed)} actions`);
      expect(aDay(runs)).toBeLessThan(2_170);
      expect(aDay(billed)).toBeLessThan(8_680);
    } finally {
      await service.stop();
    }
  });
});
