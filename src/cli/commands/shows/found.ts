import { formatAccount, shortenMiddle } from '../../../basics/format-account.ts';
import { cut } from './format.ts';

export const FOUND = `kind id appId tenantKey label connection { provider status accountName accountHandle providerAccountId namesHidden
  appName tenantKey externalSubjectId }`;

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly appId: string | null;
  readonly tenantKey: string | null;
  readonly label: string | null;
  readonly connection: {
    readonly provider: string;
    readonly status: string;
    readonly accountName: string | null;
    readonly accountHandle: string | null;
    readonly providerAccountId: string;
    readonly appName: string;
    readonly tenantKey: string;
    readonly externalSubjectId: string;
  } | null;
}

/** Commands about a person or a tenant take the id of the app, too. */
const NEEDS_APP = ['PERSON', 'TENANT'];

export const briefFound = ({ kind, id, appId, tenantKey, label, connection }: Found) => ({
  kind: cut(kind, 10),
  id,
  what: cut((connection ? `${connection.provider}, ${formatAccount(connection)}` : label) ?? '-', 22),
  app: cut(connection?.appName ?? appId ?? '-', NEEDS_APP.includes(kind) ? 36 : 10),
  person: cut(connection ? shortenMiddle(connection.externalSubjectId) : '-', 13),
  tenant: cut(connection ? shortenMiddle(connection.tenantKey) : (tenantKey ?? '-'), 8),
  status: cut(connection?.status ?? '-', 9),
});
