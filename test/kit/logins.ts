/** Who may log in to the test cluster, each a member of the role that `ops/postgres/roles.sql` makes for it. */
export const LOGINS = {
  api: 'accounts_api',
  worker: 'accounts_worker',
  maintenance: 'accounts_maintenance',
  readonly: 'accounts_readonly',
} as const;
export type Login = keyof typeof LOGINS;
