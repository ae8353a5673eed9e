import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../local/src/ports.ts';
import { createLog } from '../../src/basics/log.ts';
import { startMetrics } from '../../src/telemetry/metrics.ts';
import { type Running, startService } from '../kit/at-work.ts';
import { moveClock } from '../kit/clock.ts';
import { openReceiver, type Received, type Receiver } from '../kit/webhook-receiver.ts';

/** The running service, whose business time and platforms a test moves; and what it said. */
export interface World {
  readonly service: Running;
  readonly receiver: Receiver;
  /** What it has refused. */
  readonly refused: Set<Received>;
  readonly journal: string;
  /** How often each line of the log came, by level and message. */
  readonly lines: Map<string, number>;
  /** All metrics, as Prometheus reads them. */
  readMetrics(): Promise<string>;
  /** Business time, in ms since the epoch. */
  now(): number;
  advance(ms: number): Promise<void>;
  /** Sets the time of a database that was restored. */
  setClock(): Promise<void>;
  /** Waits until nothing that can be done is left. @returns what is still open after half a minute */
  rest(): Promise<string>;
  /** What no test expected. */
  readonly problems: string[];
  report(day: number, problem: string): void;
  close(): Promise<void>;
}

const REST_MS = 30_000;

export async function openWorld(start: Date): Promise<World> {
  let shift = start.getTime() - Date.now();
  const now = () => Date.now() + shift;
  const journal = mkdtempSync(path.join(tmpdir(), 'year-'));
  const lines = new Map<string, number>();
  const log = createLog('info', {
    write(line) {
      const { level, message } = JSON.parse(line);
      const name = `${level} ${message}`;
      lines.set(name, (lines.get(name) ?? 0) + 1);
    },
  });
  const port = await findFreePort();
  const metrics = await startMetrics({ host: '127.0.0.1', port }, log);
  const service = await startService(
    { ERASURE_JOURNAL: journal, SUSPEND_SIBLINGS: 'true' },
    { isReplaceable: true, sendsWebhooks: true, crowd: 60, clock: now, log },
  );
  const receiver = await openReceiver();
  const { sql } = service;
  await moveClock(sql, shift);
  const problems: string[] = [];

  const findOpen = async (): Promise<string> => {
    const [row] = await sql`
      select
        (select count(*)::int from outbox where next_try_at <= business_now()) as outbox,
        (select count(*)::int from read_job where status in ('QUEUED', 'RUNNING')) as reads,
        (select count(*)::int from disconnect_job where status in ('QUEUED', 'RUNNING')) as disconnects,
        (select count(*)::int from connect_attempt where status = 'EXCHANGING') as exchanges,
        -- A lease of an hour, while the upkeep runs.
        (select count(*)::int from connection where status = 'CONNECTED' and upkeep_failing_since is not null
          and upkeep_due_at between business_now() + interval '50 minutes' and business_now() + interval '1 hour') as upkeep,
        (select count(*)::int from webhook_delivery d join webhook_endpoint e using (endpoint_id)
          -- One that is being sent is due when its lease ends.
          where d.status = 'PENDING' and e.disabled_at is null
            and (d.next_try_at <= business_now() or d.next_try_at = d.last_tried_at + interval '45 seconds')
            and coalesce(e.paused_until <= business_now(), true)) as webhooks
    `;
    return Object.entries(row ?? {})
      .flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
      .join(', ');
  };

  return {
    service,
    receiver,
    refused: new Set(),
    journal,
    lines,
    readMetrics: async () => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    now,
    async advance(ms) {
      shift += ms;
      await moveClock(sql, ms);
    },
    async setClock() {
      await sql`update test_clock set moved = ${shift} * interval '1 millisecond'`;
    },
    async rest() {
      const until = performance.now() + REST_MS;
      for (;;) {
        const open = await findOpen();
        if (open === '' || performance.now() > until) return open;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    problems,
    report(day, problem) {
      problems.push(`day ${day}: ${problem}`);
      console.log(problems.at(-1));
    },
    async close() {
      await service.close();
      await receiver.close();
      await metrics.close();
      rmSync(journal, { recursive: true });
    },
  };
}
