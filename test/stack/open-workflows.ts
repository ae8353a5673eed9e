import proto from '@temporalio/proto';
import { vi } from 'vitest';
import { RETRY_NOW } from '../../src/workflows/contract.ts';
import { PERMISSIONS, Person } from '../kit/person.ts';
import type { TestService } from '../kit/service.ts';
import { seedConnections } from './many-people.ts';
import { operator } from './operator.ts';

/** `npm run test:upgrade` opens 500. */
export const OPEN = Number(process.env.OPEN_WORKFLOWS);
const ATTEMPTS = 2 * Math.floor(OPEN / 10);
const REVOKES = OPEN - ATTEMPTS;
export const CALLERS = 2;
const AT_ONCE = 10;
/** 1,000 workflows take so long on a busy machine. */
export const PATIENT = { timeout: 900_000, interval: 200 };

const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;
/** A worker lost a task, or a signal came in between: Temporal repeats it at once. */
const HARMLESS = ['WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND', 'WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE'];

/** Some at a time: the test opens workflows, it does not overload the api. */
async function mapSome<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (let begun = 0; begun < items.length; begun += AT_ONCE)
    results.push(...(await Promise.all(items.slice(begun, begun + AT_ONCE).map(work))));
  return results;
}

/** Workflows that wait: for a person, or for the next try of a revoke. */
export async function openWorkflows(service: TestService) {
  const { database, sandbox } = service;
  const { sql } = database;
  const ask = await operator(service);
  const what = { kind: 'status', status: 503, retryAfterSeconds: 600 } as const;
  const { id: outage } = sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'revoke', what, times: null });
  await seedConnections(service, REVOKES);
  const [registration] = await sql`select registration_id from registration where provider = 'PROVIDER_B'`;
  await ask('mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { bulkDisconnect { id } } }', {
    i: { registrationId: registration?.registrationId },
  });
  const begin = async (person: Person) => ({ person, session: await person.createSession('PROVIDER_C') });
  const attempts: Awaited<ReturnType<typeof begin>>[] = [];
  /** People of the load disconnect at another platform. */
  const listTried = (tries: number) => sql`
    select connection_id from disconnect_job
    where kind = 'REVOKE' and provider = 'PROVIDER_B' and finished_at is null and tries >= ${tries}
      and next_retry_at > business_now()
  `;
  const awaitTries = (tries: number) => vi.waitUntil(async () => (await listTried(tries)).length === REVOKES, PATIENT);
  await awaitTries(1);
  const ids = (await listTried(1)).map(({ connectionId }) => String(connectionId));
  const retry = () =>
    mapSome(ids, (id) => service.temporalClient.workflow.getHandle(`disconnect/${id}`).signal(RETRY_NOW));
  let tries = 1;
  return {
    retry,
    /** Each waiting revoke takes its next step, on the workers of the moment, and waits again. */
    async step() {
      tries += 1;
      await retry();
      await awaitTries(tries);
    },
    /** People leave for the platform. Their attempts end after ten minutes. */
    async leave() {
      attempts.push(
        ...(await mapSome(
          Array.from({ length: ATTEMPTS }, () => new Person(service)),
          begin,
        )),
      );
    },
    /** All of them come back from the platform. @returns their attempts' outcomes */
    async comeBack() {
      const statuses = await mapSome(attempts.splice(0), async ({ person, session }) => {
        const account = person.account('PROVIDER_C', /^40 posts/);
        await person.agree(await person.launch(session), account, PERMISSIONS.PROVIDER_C);
        return (await person.finished(session.id)).status;
      });
      return new Set(statuses);
    },
    /** The platform works again. */
    repair: () => sandbox.control.removeFault(outage),
    /** Waits until all revokes and erases have ended. */
    async ends() {
      const open = () => sql`select from disconnect_job where connection_id = any(${ids}) and status <> 'SUCCEEDED'`;
      await vi.waitUntil(async () => (await open()).length === 0, PATIENT);
    },
  };
}

/** People who connect, scan and disconnect all the time. */
export function startLoad(service: TestService) {
  let isOver = false;
  const ms: number[] = [];
  const odd: string[] = [];
  const begin = async () => {
    while (!isOver) {
      const person = new Person(service);
      const startedAt = performance.now();
      const attempt = await person.connect('PROVIDER_C', person.account('PROVIDER_C', /^40 posts/));
      if (attempt.status !== 'COMPLETED') odd.push(`attempt ${attempt.status} ${attempt.resultCode}`);
      const { connectionId } = attempt;
      const { syncStatus } = await person.synced(connectionId);
      if (syncStatus !== 'READY' && syncStatus !== 'PARTIAL') odd.push(`scan ${syncStatus}`);
      const { revoke, erase } = await person.disconnect(connectionId);
      for (const { status } of [revoke, erase]) if (status !== 'SUCCEEDED') odd.push(`receipt ${status}`);
      ms.push(performance.now() - startedAt);
    }
  };
  const running = Promise.all(
    Array.from({ length: CALLERS }, () => begin().catch((error: unknown) => void odd.push(String(error)))),
  );
  return {
    odd,
    /** The durations since the last call. */
    takeDurations: () => ms.splice(0),
    async end() {
      isOver = true;
      await running;
    },
  };
}

/** Workflow tasks that failed in any run: a defect, or a history that does not replay. */
export async function listFailedTasks({ temporalClient: { workflow } }: TestService): Promise<string[]> {
  const failed: string[] = [];
  for await (const { workflowId, runId } of workflow.list({ query: 'WorkflowType != "sweep"' })) {
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { workflowTaskFailedEventAttributes: task } of events ?? []) {
      const cause = task ? (WorkflowTaskFailedCause[task.cause ?? 0] ?? '') : '';
      if (task && !HARMLESS.includes(cause)) failed.push(`${workflowId}: ${cause} ${task.failure?.message}`);
    }
  }
  return failed;
}
