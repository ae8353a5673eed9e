import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../local/src/services.ts';

/** The namespace of the installation. */
const NAMESPACE = 'accounts';
const PATIENCE_MS = 5 * 60_000;

/** As much of an object of Kubernetes as the tests read. */
export interface KubernetesObject {
  readonly metadata: {
    readonly name: string;
    readonly deletionTimestamp?: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the fields differ by kind.
  readonly spec: any;
  // biome-ignore lint/suspicious/noExplicitAny: the fields differ by kind.
  readonly status: any;
}

/** Runs kubectl in the installation's namespace. @returns its output */
export async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const { succeeds, output, complaint } = await run(args, input);
  if (!succeeds) throw new Error(`kubectl ${args.join(' ')}: ${complaint}`);
  return output;
}

/** Whether kubectl succeeds, and its output. */
export async function tryKubectl(args: readonly string[]): Promise<{ succeeds: boolean; output: string }> {
  const { succeeds, output, complaint } = await run(args, '');
  return { succeeds, output: `${output}${complaint}` };
}

async function run(args: readonly string[], input: string) {
  const child = spawn('kubectl', ['--namespace', NAMESPACE, ...args], { cwd: ROOT, timeout: PATIENCE_MS });
  child.stdin.end(input);
  const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { succeeds: code === 0, output, complaint };
}

export const getAll = async (kind: string, ...options: string[]): Promise<KubernetesObject[]> =>
  JSON.parse(await kubectl(['get', kind, '--output', 'json', ...options])).items;

/** The pods of a component that are to stay. */
export const podsOf = async (component: string): Promise<KubernetesObject[]> =>
  (await getAll('pods', '--selector', `app.kubernetes.io/component=${component}`)).filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );

export const readyPodsOf = async (component: string): Promise<KubernetesObject[]> =>
  (await podsOf(component)).filter(isReady);

const isReady = ({ status }: KubernetesObject): boolean =>
  (status.conditions ?? []).some(
    ({ type, status: value }: Record<string, string>) => type === 'Ready' && value === 'True',
  );

/** Runs an operator's command in a pod of the api. On a busy machine, a new process may be too slow to connect in time. */
export async function command(args: readonly string[], input = ''): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      const api = ['exec', '--stdin', 'deploy/accounts-social-accounts-api', '--', 'node', 'dist/main.js'];
      return await kubectl([...api, ...args], input);
    } catch (error) {
      if (tries === 5 || !String(error).includes('CONNECT_TIMEOUT')) throw error;
    }
  }
}

export async function waitFor<T>(
  name: string,
  condition: () => T | Promise<T>,
  patienceMs = 60_000,
): Promise<Exclude<T, false | null | undefined>> {
  const endsAt = Date.now() + patienceMs;
  let reason: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Exclude<T, false | null | undefined>;
      reason = undefined;
    } catch (error) {
      reason = error;
    }
    if (Date.now() > endsAt) throw new Error(`${name}: not within ${patienceMs / 1_000} s`, { cause: reason });
    await sleep(500);
  }
}
