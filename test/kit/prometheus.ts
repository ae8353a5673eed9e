import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildHttpUrl, findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { isAnswering, type ServiceContext } from '../../local/src/service.ts';
import { ROOT } from '../../local/src/services.ts';
import { Part } from './processes.ts';

export const OPS = path.join(ROOT, 'ops', 'prometheus');

function findProgram(name: 'prometheus' | 'promtool'): string | undefined {
  const given = process.env.PROMETHEUS_PATH;
  const folders = given === undefined ? (process.env.PATH ?? '').split(path.delimiter) : [path.dirname(given)];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** No maintained package of npm contains Prometheus. */
export const hasPrometheus = findProgram('prometheus') !== undefined && findProgram('promtool') !== undefined;

/** A program of Prometheus' package. @throws if it is missing. */
export function prometheusProgram(name: 'prometheus' | 'promtool'): string {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`There is no ${name}: install Prometheus, or set PROMETHEUS_PATH.`);
  return program;
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
}

/** A Prometheus with the project's configuration and rules, but other targets and intervals. */
export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

/** @param targets host and port to scrape, by job. */
export async function startPrometheus(targets: Readonly<Record<string, string>>, surroundings: ServiceContext) {
  const folder = path.join(surroundings.logs, 'prometheus');
  mkdirSync(folder);
  const port = await findFreePort();
  const config = path.join(folder, 'prometheus.yml');
  writeFileSync(config, adjusted(readFileSync(path.join(OPS, 'prometheus.yml'), 'utf8'), targets));
  const url = buildHttpUrl(port);
  const part = new Part(
    {
      name: 'prometheus',
      program: prometheusProgram('prometheus'),
      args: [
        `--config.file=${config}`,
        `--storage.tsdb.path=${path.join(folder, 'data')}`,
        `--web.listen-address=${LOOPBACK}:${port}`,
      ],
      env: {},
      cwd: folder,
      stop: { signal: 'SIGTERM', patienceMs: 5_000 },
      isReady: () => isAnswering(`${url}/-/ready`),
    },
    surroundings,
  );
  await part.start();

  const ask = async (what: string, parameters: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1/${what}?${new URLSearchParams(parameters)}`);
    const answer = (await response.json()) as { status: string; error?: string; data: unknown };
    if (answer.status !== 'success') throw new Error(`${answer.error}: ${Object.values(parameters).join(' ')}`);
    return answer.data;
  };
  return {
    /** The current result of an expression. @throws with Prometheus' message if it cannot be evaluated. */
    query: async (query: string) => ((await ask('query', { query })) as { result: Series[] }).result,
    /** Every series of a metric in the last minutes. */
    series: async (name: string) => (await ask('series', { 'match[]': name })) as Series['metric'][],
    /** The loaded rules with the result of their last evaluation. */
    rules: async () => {
      const { groups } = (await ask('rules')) as {
        groups: { rules: { name: string; health: string; lastError?: string }[] }[];
      };
      return groups.flatMap(({ rules }) => rules);
    },
    stop: () => part.stop(),
  };
}

/** The example of `ops/` with the test's processes as targets, and short intervals. */
function adjusted(example: string, targets: Readonly<Record<string, string>>): string {
  const near = example
    .replaceAll(/_interval: \w+/g, '_interval: 500ms')
    .replace('- alerts.yml', `- ${path.join(OPS, 'alerts.yml')}`);
  return Object.entries(targets).reduce(
    (text, [job, target]) => text.replace(new RegExp(`(job_name: ${job}[^[]*\\[)[^\\]]*`), `$1'${target}'`),
    near,
  );
}
