import { vi } from 'vitest';
import { getSweepScheduleId } from '../../src/workflows/contract.ts';
import type { TestService } from './service.ts';

type FaultInput = Parameters<TestService['sandbox']['control']['addFault']>[0];

const NOTICED = { interval: 50 };
/** An outage must not delay a caller or a person longer than this. */
const PROMPT_MS = 3_000;
/** The service's default. */
const TASK_QUEUE = 'accounts';

export type Trouble = ReturnType<typeof makeTrouble>;

/** Makes all calls of a kind fail, until it is ended. */
export function makeTrouble({ sandbox: { control } }: TestService, fault: Omit<FaultInput, 'times'>) {
  const { provider, route, account } = fault;
  const last = control.calls().at(-1)?.number ?? 0;
  const { id } = control.addFault({ ...fault, times: null });
  const isHit = () => control.calls({ provider, route, account }).some((call) => call.number > last && call.fault);
  return {
    /** Waits until a call has failed because of it. */
    met: () => vi.waitUntil(isHit, NOTICED),
    /** Ends the fault. You can repeat this. */
    end: () => {
      if (control.faults().some((one) => one.id === id)) control.removeFault(id);
    },
  };
}

/** One round of reconciliation and upkeep now, instead of when it is next due. The workers' own sweeps come within seconds. */
export const sweepNow = ({ temporalClient }: TestService) =>
  // The workers create the Schedule beside their other work.
  vi.waitFor(
    () => temporalClient.schedule.getHandle(getSweepScheduleId(TASK_QUEUE, 'minute')).trigger('ALLOW_ALL'),
    NOTICED,
  );

/** @throws Error if the call takes longer than `PROMPT_MS`. */
export async function promptly<T>(call: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const result = await call();
  const ms = Date.now() - startedAt;
  if (ms > PROMPT_MS) throw new Error(`That took ${ms} ms.`);
  return result;
}
