import { APP_COMMANDS } from './commands/app-commands.ts';
import { ERASURE_COMMANDS } from './commands/erasure-commands.ts';
import { JOB_COMMANDS } from './commands/job-commands.ts';
import { OPERATOR_COMMANDS } from './commands/operator-commands.ts';
import { REGISTRATION_COMMANDS } from './commands/registration-commands.ts';
import { WEBHOOK_COMMANDS } from './commands/webhook-commands.ts';
import type { RemoteCommand } from './shape.ts';

/** Every command of the admin API, by its name. A test compares their operations with those of the schema. */
export const REMOTE_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  ...APP_COMMANDS,
  ...REGISTRATION_COMMANDS,
  ...JOB_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...ERASURE_COMMANDS,
  ...OPERATOR_COMMANDS,
};
