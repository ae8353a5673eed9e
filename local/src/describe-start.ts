import path from 'node:path';
import { formatTable } from './screen.ts';
import { FOLDER, type MovedPort, SHELL_FILE, STACK_FILE, type StackAddresses } from './stack.ts';

/** The first of the sandbox's people at its identity provider. */
const PERSON = 'Rowan Vale';

const formatSeconds = (seconds: number): string => {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
};

/** The time since this process started, and the part that went into packages, which `scripts/install.mjs` has measured. */
function describeDuration(): string {
  const [packages] = performance.getEntriesByName('packages', 'measure');
  const part = packages === undefined ? '' : `, ${formatSeconds(packages.duration / 1000)} of it packages`;
  return `${formatSeconds(process.uptime())}${part}`;
}

/** One line for each port that differs from the documents. */
const describePorts = (moved: readonly MovedPort[]): string[] =>
  moved.map(({ name, usual, port, isTaken }) =>
    isTaken
      ? `Port ${usual} is taken, so ${name} listens on ${port}.`
      : `Port ${usual} was taken at an earlier start, so ${name} still listens on ${port}. \`npm start -- --fresh\` takes ${usual} again.`,
  );

/** The screen of a stack that is ready: its addresses, three next steps and, last, its secrets. */
export function describeStart({ app, ...addresses }: StackAddresses, moved: readonly MovedPort[]): string {
  const folder = path.relative('.', FOLDER);
  return [
    '',
    `Ready after ${describeDuration()}. Ctrl-C stops everything; the data stays in ${folder}/.`,
    ...describePorts(moved),
    '',
    formatTable([
      ['Example', addresses.callerUrl],
      ['GraphQL', `${addresses.graphqlUrl}  (tenant "${app.tenantKey}", return URL ${app.returnUrl})`],
      ['Schema', addresses.schemaUrl],
      ...(addresses.explorerUrl === null
        ? []
        : [['Explorer', `${addresses.explorerUrl}  (GraphiQL as the demo app)`] as const]),
      ['Sandbox', addresses.sandboxUrl],
      ['Console', `${addresses.consoleUrl}  (for operators; sign in with the admin token)`],
      ...(addresses.temporalUiUrl === null ? [] : [['Temporal', addresses.temporalUiUrl] as const]),
      ['Metrics', `${addresses.metricsUrl} (worker), ${addresses.apiMetricsUrl} (api)`],
      ['For programs', path.relative('.', STACK_FILE)],
      [
        'For commands',
        `sh ${path.relative('.', SHELL_FILE)} COMMAND  (any command of docs/runbook.md; without one, a shell for them)`,
      ],
      ['Logs', path.join(folder, 'logs')],
    ]),
    '',
    'Next:',
    `  1. Open ${addresses.callerUrl}, sign in as ${PERSON}, and connect an account.`,
    `  2. Break it: at ${addresses.sandboxUrl}/#faults a platform fails as you choose.`,
    '  3. Call it from your own code: docs/callers.md.',
    '',
    'Secrets of this stack:',
    formatTable([
      ['Application key', app.key],
      ['Admin token', addresses.adminToken],
    ]),
    '',
  ].join('\n');
}
