import type { CommandHead } from '../read-options.ts';

export const TRY_COMMAND: CommandHead = {
  usage:
    'try-provider provider-a|provider-b|provider-c [--listen PORT] [--permission NAME]… [--keep-grant] [--report FOLDER] [--tokens FILE]',
  summary:
    'Connect one account at the real platform, read it, refresh and revoke, and write a report of what differs from what the\n' +
    '      adapter expects. Needs an OAuth client there; uses no database. --tokens stores the tokens and stops after the profile.',
  options: {
    listen: { type: 'string' },
    permission: { type: 'string', multiple: true },
    'keep-grant': { type: 'boolean' },
    report: { type: 'string' },
    tokens: { type: 'string' },
  },
};
