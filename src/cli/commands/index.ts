import type { Command } from '../shape.ts';
import { APP_COMMANDS } from './app-commands.ts';
import { ERASURE_COMMANDS } from './erasure-commands.ts';
import { JOB_COMMANDS } from './job-commands.ts';
import { OPERATOR_COMMANDS } from './operator-commands.ts';
import { REGISTRATION_COMMANDS } from './registration-commands.ts';
import { WEBHOOK_COMMANDS } from './webhook-commands.ts';

/** Every command of the admin API, by its name. A test compares their operations with those of the schema. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...APP_COMMANDS,
  ...REGISTRATION_COMMANDS,
  ...JOB_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...ERASURE_COMMANDS,
  ...OPERATOR_COMMANDS,
};
