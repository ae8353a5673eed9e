import type { CommandHead } from '../read-options.ts';

export const TRY_COMMAND: CommandHead = {
  usage: 'try-provider provider-a|provider-b|provider-c [--listen PORT] [--keep-grant] [--tokens FILE]',
  summary:
    'Connect one account at the real platform, read it, refresh and revoke, and print what differs from what the adapter\n' +
    '      expects. Needs an OAuth client there; uses no database. --tokens stores the tokens and stops after the profile.',
  options: {
    listen: { type: 'string' },
    'keep-grant': { type: 'boolean' },
    tokens: { type: 'string' },
  },
};
