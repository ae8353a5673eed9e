import { TestWorkflowEnvironment } from '@temporalio/testing';
import { inject } from 'vitest';
import { type Running, startService } from '../kit/at-work.ts';
import { moveClock } from '../kit/clock.ts';

/** The whole service in this process, on a real Postgres and on Temporal's server that skips time. */
export interface Stage {
  readonly service: Running;
  /** Moves business time, the platforms' time and Temporal's. Timers that fall due meanwhile fire in order. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** `IndexedValueType` of Temporal's API. */
const KEYWORD = 2;

export async function openStage(): Promise<Stage> {
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: inject('timeSkippingServer') } },
  });
  const temporal = { TEMPORAL_ADDRESS: env.address, TEMPORAL_NAMESPACE: env.client.options.namespace };
  await env.connection.operatorService.addSearchAttributes({
    namespace: temporal.TEMPORAL_NAMESPACE,
    searchAttributes: { AppId: KEYWORD, Provider: KEYWORD, ConnectionId: KEYWORD, JobKind: KEYWORD },
  });
  const service = await startService({ SUSPEND_SIBLINGS: 'true' }, { temporal });
  return {
    service,
    async advance(ms) {
      const { control, sql } = service;
      await moveClock(sql, ms);
      control.setClock(control.clock().offsetMs + ms);
      await env.sleep(ms);
    },
    async close() {
      await service.close();
      await env.teardown();
    },
  };
}
