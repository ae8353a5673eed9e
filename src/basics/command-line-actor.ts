import { hostname, userInfo } from 'node:os';

/** The name in the audit log of a user of the operating system who runs the command line beside the database. */
export const getCommandLineActor = (): string => `command line: ${findUser()}@${hostname()}`.slice(0, 200);

/** A container may run under a number that has no name. */
function findUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
