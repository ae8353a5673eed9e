import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'vitest';
import { openJobs } from './jobs.ts';
import { isRead, openReads } from './reads.mjs';
import type { Case, Stage, Turn } from './stage.ts';

type Request = { readonly kind: 'turn'; readonly name: string } | { readonly kind: 'restart' };

/** A stage starts when a case needs it. */
const STAGES = [openReads, openJobs];

test('takes turns', async () => {
  const stages: (Stage | undefined)[] = [];
  const ready = new Map<string, Case>();
  async function open(name: string): Promise<Case> {
    const index = isRead(name) ? 0 : 1;
    const stage = stages[index] ?? (await STAGES[index]?.());
    stages[index] = stage;
    const one = await stage?.open(name);
    if (one === undefined) throw new Error(`There is no case ${name}.`);
    return one;
  }
  async function handle(request: Request): Promise<Turn | null> {
    if (request.kind === 'restart') {
      for (const stage of stages) await stage?.restart();
      return null;
    }
    const turn = ready.get(request.name) ?? (await open(request.name));
    ready.set(request.name, turn);
    return await turn();
  }
  try {
    const socket = createConnection(process.env.GUARD_SOCKET ?? '');
    for await (const line of createInterface({ input: socket })) {
      const answer = await handle(JSON.parse(line)).then(
        (turn) => ({ answer: turn }),
        (error) => ({ error: `${error instanceof Error ? error.stack : error}` }),
      );
      socket.write(`${JSON.stringify(answer)}\n`);
    }
  } finally {
    for (const stage of stages) await stage?.stop();
  }
});
