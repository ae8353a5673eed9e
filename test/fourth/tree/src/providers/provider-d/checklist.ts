import type { ChecklistItem } from '../checklist.ts';

export const checklist: readonly ChecklistItem[] = [
  {
    id: 'D1',
    item: 'The client exists, with the secret that is stored here',
    without: 'Token requests answer `invalid_client`',
    here: 'The registration is rejected',
    symptoms: ['CLIENT_REFUSED'],
  },
];
