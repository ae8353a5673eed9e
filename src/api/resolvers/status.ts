import type { QueryResolvers } from '../../generated/schema.ts';

export const status: QueryResolvers['status'] = () => ({ ok: true, message: 'The service answers.' });
