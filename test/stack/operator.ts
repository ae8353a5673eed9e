import type { Page } from 'playwright-core';
import { askAdmin } from '../kit/graphql.ts';
import { insertAdminToken } from '../kit/seed.ts';
import type { TestService } from '../kit/service.ts';

/** A token of the next hour. */
export async function newToken({ database }: TestService, role: 'VIEWER' | 'OPERATOR' | 'ADMIN'): Promise<string> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  return (await insertAdminToken(database.sql, { label: `A ${role}`, role, expiresAt })).token;
}

/** Asks the admin API as an ADMIN. @returns a function that throws `Refusal`. */
export async function operator(service: TestService) {
  const token = await newToken(service, 'ADMIN');
  return (query: string, variables: object = {}) => askAdmin(service.apiUrls[0], token, query, variables);
}

/** Signs in at the console's page that is open. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Admin token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
}
