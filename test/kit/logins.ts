/** The logins of the test cluster, each a member of its roles from `ops/postgres/roles.sql`. */
export const LOGINS = {
  api: 'accounts_api',
  worker: 'accounts_worker',
  maintenance: 'accounts_maintenance',
  readonly: 'accounts_readonly',
  importer: 'accounts_worker, accounts_maintenance',
} as const;
export type Login = keyof typeof LOGINS;
