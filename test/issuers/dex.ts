import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { isAnswering } from '../../local/src/service.ts';
import { until } from '../kit/at-work.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { type IssuerServer, PEOPLE } from './issuer-server.ts';

const SEVEN_HOURS = 7 * 3_600;

/** Dex, whose clock a test can set. */
export interface Dex extends IssuerServer {
  setClock(offsetSeconds: number): Promise<void>;
}

/** Starts Dex's server, as `dex/main.go` puts it together. */
export async function startDex(program: string, web: string): Promise<Dex> {
  const run = await openRunFolder();
  const [port, controlPort] = [await findFreePort(), await findFreePort()];
  const issuer = `http://${LOOPBACK}:${port}/dex`;
  const people = PEOPLE.map(({ givenName, familyName, ...one }) => ({ ...one, name: `${givenName} ${familyName}` }));
  const part = new Part(
    {
      name: 'dex',
      program,
      args: [issuer, `${LOOPBACK}:${port}`, `${LOOPBACK}:${controlPort}`, web, JSON.stringify(people)],
      env: {},
      cwd: run.folder,
      stop: { signal: 'SIGTERM', patienceMs: 2_000 },
      isReady: async () => (await isAnswering(`${issuer}/healthz`)) && (await isAnswering(controlUrl)),
    },
    run,
  );
  const controlUrl = `http://${LOOPBACK}:${controlPort}`;
  await part.start();

  const order = async (body: object) => {
    const response = await fetch(controlUrl, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`Dex answers ${response.status}: ${await response.text()}`);
  };
  const setClock: Dex['setClock'] = (offsetSeconds) => order({ offsetSeconds });
  let rotations = 0;
  const findKeys = async () => await (await fetch(`${issuer}/keys`)).text();

  return {
    issuer,
    groupScopes: 'groups',
    setClock,
    addClient: ({ clientId: id, clientSecret: secret, redirectUri, settings }) =>
      order({ client: { id, secret, redirectURIs: [redirectUri], name: id, ...settings } }),
    signIn: async (browser, page, { username, password }) =>
      await browser.submit(page, [
        ['login', username],
        ['password', password],
      ]),
    /** Dex looks every 30 seconds whether its keys are six hours old. Each rotation sets the next one by its own clock. */
    async rotateKeys() {
      const before = await findKeys();
      rotations += 1;
      await setClock(rotations * SEVEN_HOURS);
      await until(async () => (await findKeys()) !== before);
      await setClock(0);
    },
    async close() {
      await part.stop();
      run.remove();
    },
  };
}
