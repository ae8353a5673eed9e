import { Badge, Code, Text } from '@mantine/core';
import { useAct, useAsk } from '../ask/hooks.ts';
import { AdminTokensDocument, type AdminTokensQuery, RevokeAdminTokenDocument } from '../generated/operations.ts';
import { ActButton } from '../parts/act-button.tsx';
import { shortId } from '../parts/app-name.tsx';
import { To } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Nothing, Rows } from '../parts/rows.tsx';
import { Age, Time, Until } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useSession } from '../session.tsx';
import { hindranceOf } from '../words/roles.ts';

type Token = AdminTokensQuery['adminTokens'][number];

const A_MONTH_MS = 30 * 24 * 3_600_000;
const inAMonth = () => `${new Date(Date.now() + A_MONTH_MS).toISOString().slice(0, 10)}T00:00:00Z`;

/** In the audit log. A session of an OpenID issuer is there as its beginning, under the name of whoever began it. */
const placeOf = ({ id, sessionOnly }: Token) => (sessionOnly ? `/audit?target=${id}` : `/audit?actor=token%3A${id}`);

export function Tokens() {
  const { me } = useSession();
  const hindrance = hindranceOf(me.role, 'adminTokens');
  return (
    <Page
      title="Admin tokens"
      lead={
        <>
          Who may use this console and the admin API. Whoever signs in with the organization has one for that session
          alone. Any other is made at the command line, where it is shown once:
          <Code block mt="xs" style={{ whiteSpace: 'pre-wrap' }}>
            node dist/main.js admin token create --role OPERATOR --expires {inAMonth()} --label NAME
          </Code>
        </>
      }
    >
      {hindrance === undefined ? <TokenRows /> : <Nothing>{hindrance}</Nothing>}
    </Page>
  );
}

function TokenRows() {
  const { me } = useSession();
  const { data, problem, again } = useAsk(AdminTokensDocument, {});
  const revoke = useAct(RevokeAdminTokenDocument);
  if (data === undefined) return problem ? <ProblemNote problem={problem} onAgain={again} /> : <Waiting />;
  return (
    <Rows
      caption="Admin tokens"
      items={data.adminTokens}
      idOf={({ id }) => id}
      none="There are none."
      columns={[
        {
          name: 'Whose',
          cell: ({ id, label }) => (
            <>
              {label}{' '}
              <Text span size="xs" c="dimmed" ff="monospace">
                {shortId(id)}
              </Text>
            </>
          ),
        },
        { name: 'Role', cell: ({ role }) => role },
        { name: 'State', cell: (token) => <TokenState of={token} isOwn={token.id === me.id} /> },
        { name: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { name: 'Did', cell: (token) => <To href={placeOf(token)}>what the audit log has</To> },
        { name: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago since={lastUsedAt} /> : 'never') },
        {
          name: '',
          cell: (token) =>
            token.revokedAt === null && (
              <ActButton
                operation="revokeAdminToken"
                label="Revoke…"
                about={token.label}
                size="xs"
                color="red"
                variant="outline"
                confirm={{
                  title: `Revoke “${token.label}”`,
                  action: 'Revoke',
                  isDanger: true,
                  text:
                    token.id === me.id
                      ? 'This is the token you are signed in with: your session ends with it.'
                      : 'It stops working at once, and so do the sessions begun with it.',
                }}
                act={async () => (await revoke({ id: token.id })).problem}
                done="Revoked."
              />
            ),
        },
      ]}
    />
  );
}

const Ago = ({ since }: { since: string }) => (
  <>
    <Age since={since} /> ago
  </>
);

const TokenState = ({ of: { revokedAt, expiresAt, sessionOnly }, isOwn }: { of: Token; isOwn: boolean }) =>
  revokedAt === null ? (
    <>
      ends in <Until at={expiresAt} />
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
