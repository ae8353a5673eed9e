import { PROVIDER_NAMES } from '../../basics/codes.ts';
import type { CommandHead } from '../read-options.ts';

const SLUGS = PROVIDER_NAMES.map((name) => name.toLowerCase().replace('_', '-')).join('|');

export const TRY_COMMAND: CommandHead = {
  usage: `try-provider ${SLUGS} [--listen PORT] [--permission NAME]… [--keep-grant] [--report FOLDER] [--tokens FILE]`,
  summary:
    'Connect one account at the real platform, read it, refresh and revoke, and write a report of the differences from the\n' +
    '      expectations of the adapter. Needs an OAuth client there; uses no database. --tokens stores the tokens and stops after the profile.',
  options: {
    listen: { type: 'string' },
    permission: { type: 'string', multiple: true },
    'keep-grant': { type: 'boolean' },
    report: { type: 'string' },
    tokens: { type: 'string' },
  },
};
