import path from 'node:path';

const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;

/**
 * Creates a script for `sh` that runs a command, or an interactive shell, with the environment of the running stack. Do
 * not source it: the next `npm start` in that shell would take its variables for your own settings.
 * @param program the script puts its folder in front of the PATH
 */
export function createShellScript(variables: Readonly<Record<string, string>>, program: string | undefined): string {
  return [
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`),
    ...(program === undefined ? [] : [`export PATH=${quoted(path.dirname(program))}:"$PATH"`]),
    `[ $# -gt 0 ] || set -- "\${SHELL:-sh}"`,
    'exec "$@"',
    '',
  ].join('\n');
}
