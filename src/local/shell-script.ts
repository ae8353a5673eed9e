import path from 'node:path';

const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;

/**
 * Lines that a POSIX shell sources (`. file`), so that commands typed there find what is running.
 * @param variables exported as they are.
 * @param program whose folder is put in front of the PATH, so that it is found by its name.
 */
export function shellScript(variables: Readonly<Record<string, string>>, program: string | undefined): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`);
  if (program !== undefined) lines.push(`export PATH=${quoted(path.dirname(program))}:"$PATH"`);
  return `${lines.join('\n')}\n`;
}
