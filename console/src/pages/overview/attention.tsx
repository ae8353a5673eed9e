import { Text } from '@mantine/core';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminQuery } from '../../admin-client/hooks.ts';
import { DataTable } from '../../components/data-table.tsx';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QuotaUsage } from '../../components/quota-usage.tsx';
import { RegistrationStatus } from '../../components/registration-status.tsx';
import { Time, TimeUntil } from '../../components/time.tsx';
import { WebhookEndpointTable } from '../../components/webhook-endpoints.tsx';
import { AttentionDocument, type AttentionQuery, type CredentialKind } from '../../generated/operations.ts';

/** This data changes slowly. */
const POLL_MS = 60_000;

const CREDENTIAL_KINDS: Readonly<Record<CredentialKind, string>> = {
  APP_KEY: 'App key',
  REGISTRATION_SECRET: 'Client secret of a registration',
  ISSUER_SECRET: 'Client secret of a sign-in issuer',
  ADMIN_TOKEN: 'Admin token',
};

/** Quotas and expiring credentials, which need attention later. */
export function Attention() {
  const { data, problem } = useAdminQuery(AttentionDocument, {}, { pollMs: POLL_MS });
  if (problem) return <ProblemAlert problem={problem} />;
  if (data === undefined) return null;
  return (
    <>
      {data.troubledWebhookEndpoints.items.length > 0 && <TroubledWebhooks endpoints={data.troubledWebhookEndpoints} />}
      <Section
        title="Registrations"
        lead="Our OAuth clients at the providers, and how much of their daily quotas is used."
      >
        <DataTable
          caption="Registrations"
          items={data.registrations}
          idOf={({ id }) => id}
          empty="There are no registrations yet."
          columns={[
            {
              name: 'Registration',
              cell: ({ id, label }) => <InternalLink href={`/registrations/${id}`}>{label}</InternalLink>,
            },
            { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
            { name: 'Status', cell: (registration) => <RegistrationStatus of={registration} /> },
            { name: 'Connections', cell: ({ connectionCount }) => connectionCount.toLocaleString('en') },
            { name: 'Quota used', cell: ({ usage }) => <QuotaUsage usage={usage} /> },
          ]}
        />
      </Section>
      <Section title="Expiring within 30 days">
        <DataTable
          caption="Keys, secrets and tokens that expire soon"
          items={data.expiringCredentials}
          idOf={({ kind, id }) => `${kind} ${id}`}
          empty="No key, secret or token expires within 30 days."
          columns={[
            { name: 'Credential', cell: ({ kind }) => CREDENTIAL_KINDS[kind] },
            { name: 'Owner', cell: (credential) => <Owner of={credential} /> },
            {
              name: 'Expires',
              cell: ({ expiresAt, expired }) =>
                expired ? (
                  <Text c="var(--mantine-color-error)" inherit>
                    expired <Time at={expiresAt} />
                  </Text>
                ) : (
                  <>
                    in <TimeUntil at={expiresAt} />
                  </>
                ),
            },
          ]}
        />
      </Section>
    </>
  );
}

function TroubledWebhooks({ endpoints }: { endpoints: AttentionQuery['troubledWebhookEndpoints'] }) {
  return (
    <Section
      title="Webhook endpoints that do not receive events"
      lead={endpoints.pageInfo.hasNextPage && 'The newest are shown. The command webhook troubled shows all.'}
    >
      <WebhookEndpointTable caption="Webhook endpoints that do not receive events" items={endpoints.items} empty="" />
    </Section>
  );
}

function Owner({ of: { kind, id, label, appId } }: { of: AttentionQuery['expiringCredentials'][number] }) {
  if (appId !== null) return <InternalLink href={`/apps/${appId}`}>{label}</InternalLink>;
  const places: Partial<Record<CredentialKind, string>> = {
    REGISTRATION_SECRET: `/registrations/${id}`,
    ISSUER_SECRET: '/issuers',
    ADMIN_TOKEN: '/tokens',
  };
  const place = places[kind];
  return place === undefined ? label : <InternalLink href={place}>{label}</InternalLink>;
}
