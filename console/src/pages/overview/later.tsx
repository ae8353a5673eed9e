import { Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { PlatformName } from '../../components/platform.tsx';
import { QuotaUsage } from '../../components/quota-usage.tsx';
import { RegistrationStatusLine } from '../../components/registration-status.tsx';
import { AgoCell, Time, TimeUntil } from '../../components/time.tsx';
import type { AttentionQuery, OverviewQuery } from '../../generated/operations.ts';
import { CREDENTIAL_KINDS, findCredentialPlace } from './needs-attention.tsx';

interface LaterProps {
  readonly data: AttentionQuery;
  readonly processes: OverviewQuery['overview']['workerProcesses'];
}

/** Quotas and expiring credentials, which need attention later, and the workers. */
export function Later({ data, processes }: LaterProps) {
  return (
    <>
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
            { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
            { name: 'Status', share: 30, cell: (registration) => <RegistrationStatusLine of={registration} /> },
            {
              name: 'Connections',
              isNumber: true,
              cell: ({ connectionCount }) => connectionCount.toLocaleString('en'),
            },
            { name: 'Quota used', cell: ({ usage }) => <QuotaUsage usage={usage} isShort /> },
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
      <Section title="Worker processes">
        <DataTable
          caption="Worker processes"
          items={processes}
          idOf={({ name }) => name}
          empty="No worker has reported."
          columns={[
            { name: 'Process', cell: ({ name, silent }) => (silent ? `${name} is silent` : name) },
            { name: 'Last report', cell: ({ seenAt }) => <AgoCell at={seenAt} /> },
          ]}
        />
      </Section>
    </>
  );
}

function Owner({ of }: { of: AttentionQuery['expiringCredentials'][number] }) {
  return <InternalLink href={findCredentialPlace(of)}>{of.label}</InternalLink>;
}
