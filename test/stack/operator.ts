import { askAdmin } from '../kit/graphql.ts';
import { insertAdminToken } from '../kit/seed.ts';
import type { TestService } from '../kit/service.ts';

/** Asks the admin API as an ADMIN of the next hour. @returns a function that throws `Refusal`. */
export async function operator({ apiUrls, database }: TestService) {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { token } = await insertAdminToken(database.sql, { label: 'test', role: 'ADMIN', expiresAt });
  return (query: string, variables: object = {}) => askAdmin(apiUrls[0], token, query, variables);
}
