import postgres from 'postgres';
import { cpuOf, cpuOfFamily, startLoad } from '../measure.mjs';
import { cases } from '../reads.mjs';
import { openStages, startApi } from '../stage.mjs';

const ROWS = { connections: 400, posts: 40_000 };
const AT_ONCE = 16;
const WARM_UP = 1_000;
/** Requests of one turn, about a third of a second of processor time. */
const REQUESTS = {
  content: 300,
  connection: 1_000,
  syncJob: 1_000,
  connectSessionResult: 1_200,
};
const PATIENCE_MS = 300_000;

export const isRead = (name) => name in cases;

/** The api of this version on a filled database, and a process that sends requests. */
export async function openReads() {
  const { stages, stop } = await openStages('guard', [ROWS], { say: console.log });
  const [{ databaseUrl, appKeys, postgresPid, ...stage }] = stages;
  const start = () => startApi({ databaseUrl, ...stage });
  let api = await start().catch(async (error) => {
    await stop();
    throw error;
  });
  const load = await startLoad();

  async function open(name) {
    const sql = postgres(databaseUrl, { max: 1 });
    const targets = await cases[name].findTargets(sql);
    await sql.end();
    const send = async (most) => {
      await load.ask({ kind: 'case', name, targets, appKeys, most });
      const { count, ms } = await load.ask({
        kind: 'run',
        name: '',
        url: api.url,
        ms: PATIENCE_MS,
        connections: AT_ONCE,
      });
      if (count < most) throw new Error(`Only ${count} of ${most} requests in ${PATIENCE_MS} ms.`);
      return { jobs: count, ms };
    };
    await send(WARM_UP);
    return async () => {
      const before = { api: cpuOf(api.pid), postgres: cpuOfFamily(postgresPid) };
      const sent = await send(REQUESTS[name]);
      const processorMs = {
        api: cpuOf(api.pid) - before.api,
        postgres: cpuOfFamily(postgresPid) - before.postgres,
      };
      return { ...sent, processorMs };
    };
  }

  return {
    open,
    async restart() {
      await api.stop();
      api = await start();
    },
    async stop() {
      await load.stop();
      await api.stop();
      await stop();
    },
  };
}
