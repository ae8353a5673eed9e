import { Badge, Code, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAdminQuery, useIdempotentMutation } from '../admin-client/hooks.ts';
import { ActionButton, MutationButton } from '../components/action-button.tsx';
import { DataTable, EmptyState } from '../components/data-table.tsx';
import { DateInput } from '../components/date-input.tsx';
import { InlineForm } from '../components/inline-form.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ShownOnce } from '../components/shown-once.tsx';
import { Age, TimeCell, TimeUntil } from '../components/time.tsx';
import { useOpenIdAvailable } from '../components/token-form.tsx';
import {
  type AdminRole,
  AdminTokensDocument,
  type AdminTokensQuery,
  BOUNDS,
  CreateAdminTokenDocument,
  RevokeAdminTokenDocument,
} from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import { shortenId } from '../texts/format.ts';
import { TOKEN_LOST } from '../texts/problem.ts';
import { explainMissingRole } from '../texts/roles.ts';
import { toStartOfDay } from '../texts/time.ts';

type Token = AdminTokensQuery['adminTokens'][number];

/** The entries of a token in the audit log. The log has a session through OpenID Connect as an entry of its operator. */
const getAuditUrl = ({ id, sessionOnly }: Token) =>
  sessionOnly ? `/audit?target=${id}` : `/audit?actor=token%3A${id}`;

export function Tokens() {
  const { me } = useSession();
  const missingRole = explainMissingRole(me.role, 'adminTokens');
  const openId = useOpenIdAvailable();
  return (
    <Page
      title="Operators"
      lead={
        openId ? (
          <>
            An operator who signs in with your organization needs no token: put them into a group that{' '}
            <Code>ADMIN_OIDC_ROLES</Code> names, and they get its role. Create tokens for tools, and for people outside
            it.
          </>
        ) : (
          <>
            Tokens for this console and the admin API. With <Code>ADMIN_OIDC_ISSUER</Code> and{' '}
            <Code>ADMIN_OIDC_ROLES</Code> set, operators sign in with your organization instead, and a group there gives
            a role here.
          </>
        )
      }
    >
      {missingRole === undefined ? (
        <>
          <TokenTable />
          <Invite />
        </>
      ) : (
        <EmptyState>{missingRole}</EmptyState>
      )}
    </Page>
  );
}

/** The rights of each role, in words that help to choose one. */
const ROLES = [
  ['VIEWER', 'Reads everything except secrets. Changes nothing.'],
  ['OPERATOR', 'Also retries jobs, cancels attempts, disconnects, pauses, revokes keys and erases a person.'],
  ['ADMIN', 'Also sets up apps, keys, registrations and policies, exports a person, and invites operators.'],
] as const satisfies readonly (readonly [AdminRole, string])[];

/** Issues a token for another operator. */
function Invite() {
  const create = useIdempotentMutation(CreateAdminTokenDocument);
  const [label, setLabel] = useState('');
  const [role, setRole] = useState<AdminRole>('VIEWER');
  const [expiresOn, setExpiresOn] = useState('');
  const [made, setMade] = useState<{ readonly label: string; readonly secret: string }>();
  if (made !== undefined) {
    const signInUrl = `${window.location.origin}/admin`;
    return (
      <ShownOnce
        what="admin token"
        advice={
          <>
            Send it to {made.label} over a secure channel now, with the address <Code>{signInUrl}</Code>. They sign in
            with it. It cannot be shown again. If it is lost, revoke it and invite them again.
          </>
        }
        secret={made.secret}
        onDone={() => setMade(undefined)}
      />
    );
  }
  return (
    <Section title="Invite an operator" lead="Creates a token that its holder signs in with.">
      <InlineForm>
        <Stack>
          <TextInput
            label="Name"
            description="Of the person or tool. The audit log shows it beside each act. 100 characters at most."
            required
            maxLength={BOUNDS['CreateAdminTokenInput.label'].max}
            value={label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          />
          <Radio.Group label="Role" value={role} onChange={(chosen) => setRole(chosen as AdminRole)}>
            <Stack gap="xs" mt={4}>
              {ROLES.map(([name, description]) => (
                <Radio key={name} value={name} label={name} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          <DateInput
            label="Expires on"
            description="At 00:00 UTC. Empty means in 90 days, which is the latest."
            value={expiresOn}
            onChange={setExpiresOn}
          />
          <Group>
            <ActionButton
              type="submit"
              operation="createAdminToken"
              label="Create token"
              run={async () => {
                const { data, problem } = await create((idempotencyKey) => ({
                  input: { label, role, expiresAt: toStartOfDay(expiresOn), idempotencyKey },
                }));
                if (data?.createAdminToken.secret === null) return TOKEN_LOST;
                if (data) {
                  setMade({ label: label.trim(), secret: data.createAdminToken.secret });
                  setLabel('');
                }
                return problem;
              }}
            />
          </Group>
        </Stack>
      </InlineForm>
    </Section>
  );
}

function TokenTable() {
  const { me } = useSession();
  const query = useAdminQuery(AdminTokensDocument, {});
  if (query.data === undefined) return <QueryState of={query} />;
  const admins = query.data.adminTokens.filter(({ role, revokedAt }) => role === 'ADMIN' && revokedAt === null);
  const isOnlyAdmin = ({ id }: { id: string }) => admins.length === 1 && admins[0]?.id === id;
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
        { name: 'Created', cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
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
                size="compact-sm"
                color="red"
                variant="outline"
                confirm={{
                  title: `Revoke “${token.label}”`,
                  action: 'Revoke',
                  isDanger: true,
                  text: [
                    token.id === me.id
                      ? 'You are signed in with this token. Your session ends with it.'
                      : 'The token and all sessions started with it stop working at once.',
                    isOnlyAdmin(token) &&
                      'No other token is an administrator’s: afterwards, only `admin token create` at the command line makes one.',
                  ]
                    .filter(Boolean)
                    .join(' '),
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
      revoked <TimeCell at={revokedAt} />
    </>
  );
