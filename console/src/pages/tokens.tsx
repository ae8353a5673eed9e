import { Badge, Code, Text } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { MutationButton } from '../components/action-button.tsx';
import { DataTable, EmptyState } from '../components/data-table.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Age, Time, TimeUntil } from '../components/time.tsx';
import { AdminTokensDocument, type AdminTokensQuery, RevokeAdminTokenDocument } from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import { shortenId } from '../texts/format.ts';
import { explainMissingRole } from '../texts/roles.ts';

type Token = AdminTokensQuery['adminTokens'][number];

const MONTH_MS = 30 * 24 * 3_600_000;
const getDateInAMonth = () => `${new Date(Date.now() + MONTH_MS).toISOString().slice(0, 10)}T00:00:00Z`;

/** The entries of a token in the audit log. The log has a session through OpenID Connect as an entry of its operator. */
const getAuditUrl = ({ id, sessionOnly }: Token) =>
  sessionOnly ? `/audit?target=${id}` : `/audit?actor=token%3A${id}`;

export function Tokens() {
  const { me } = useSession();
  const missingRole = explainMissingRole(me.role, 'adminTokens');
  return (
    <Page
      title="Admin tokens"
      lead={
        <>
          Tokens for this console and the admin API. An operator who signs in with your organization gets one for that
          session only. Create all others on the command line, which shows the token once:
          <Code block mt="xs" style={{ whiteSpace: 'pre-wrap' }}>
            node dist/main.js admin token create --role OPERATOR --expires {getDateInAMonth()} --label NAME
          </Code>
        </>
      }
    >
      {missingRole === undefined ? <TokenTable /> : <EmptyState>{missingRole}</EmptyState>}
    </Page>
  );
}

function TokenTable() {
  const { me } = useSession();
  const query = useAdminQuery(AdminTokensDocument, {});
  if (query.data === undefined) return <QueryState of={query} />;
  return (
    <DataTable
      caption="Admin tokens"
      items={query.data.adminTokens}
      idOf={({ id }) => id}
      empty="There are no tokens."
      columns={[
        {
          name: 'Label',
          cell: ({ id, label }) => (
            <>
              {label}{' '}
              <Text span size="xs" c="dimmed" ff="monospace">
                {shortenId(id)}
              </Text>
            </>
          ),
        },
        { name: 'Role', cell: ({ role }) => role },
        { name: 'Status', cell: (token) => <TokenStatus of={token} isOwn={token.id === me.id} /> },
        { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { name: 'Activity', cell: (token) => <InternalLink href={getAuditUrl(token)}>audit log</InternalLink> },
        { name: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo since={lastUsedAt} /> : 'never') },
        {
          name: '',
          cell: (token) =>
            token.revokedAt === null && (
              <MutationButton
                mutation={RevokeAdminTokenDocument}
                label="Revoke…"
                target={token.label}
                size="xs"
                color="red"
                variant="outline"
                confirm={{
                  title: `Revoke “${token.label}”`,
                  action: 'Revoke',
                  isDanger: true,
                  text:
                    token.id === me.id
                      ? 'You are signed in with this token. Your session ends with it.'
                      : 'The token and all sessions started with it stop working at once.',
                }}
                variables={{ id: token.id }}
                successMessage="Token revoked."
              />
            ),
        },
      ]}
    />
  );
}

const TimeAgo = ({ since }: { since: string }) => (
  <>
    <Age since={since} /> ago
  </>
);

const TokenStatus = ({ of: { revokedAt, expiresAt, sessionOnly }, isOwn }: { of: Token; isOwn: boolean }) =>
  revokedAt === null ? (
    <>
      expires in <TimeUntil at={expiresAt} />
      {sessionOnly && ', or with its session'}
      {isOwn && (
        <Badge ml="xs" variant="light" tt="none">
          yours
        </Badge>
      )}
    </>
  ) : (
    <>
      revoked <Time at={revokedAt} />
    </>
  );
