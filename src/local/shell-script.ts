import path from 'node:path';

const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;

/**
 * A script for `sh` that runs a command, or without one an interactive shell, in which commands find what is running.
 * It is not for sourcing: a shell that kept the variables would have the next `npm start` take them for the person's own.
 * @param variables exported as they are.
 * @param program whose folder is put in front of the PATH, so that it is found by its name.
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
