import { Text } from '@mantine/core';
import { useAsk } from '../../ask/hooks.ts';
import { AttentionDocument, type AttentionQuery, type CredentialKind } from '../../generated/operations.ts';
import { To } from '../../parts/links.tsx';
import { Section } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Quota } from '../../parts/quota.tsx';
import { RegistrationState } from '../../parts/registration-state.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time, Until } from '../../parts/time.tsx';

/** It changes by the hour, not by the second. */
const SLOW_MS = 60_000;

const KINDS: Readonly<Record<CredentialKind, string>> = {
  APP_KEY: 'Key of an app',
  REGISTRATION_SECRET: 'Client secret at a provider',
  ISSUER_SECRET: 'Client secret at a sign-in issuer',
  ADMIN_TOKEN: 'Admin token',
};

/** What will be trouble later. */
export function Attention() {
  const { data, problem } = useAsk(AttentionDocument, {}, { everyMs: SLOW_MS });
  if (problem) return <ProblemNote problem={problem} />;
  if (data === undefined) return null;
  return (
    <>
      <Section title="Registrations" lead="Our clients at the providers, and how much of today's quota they have used.">
        <Rows
          caption="Registrations"
          items={data.registrations}
          idOf={({ id }) => id}
          none="No registration has been made yet."
          columns={[
            { name: 'Registration', cell: ({ id, label }) => <To href={`/registrations/${id}`}>{label}</To> },
            { name: 'Provider', cell: ({ provider }) => provider },
            { name: 'State', cell: (registration) => <RegistrationState of={registration} /> },
            { name: 'Connections', cell: ({ connectionCount }) => connectionCount.toLocaleString('en') },
            { name: 'Quota used today', cell: ({ usage }) => <Quota usage={usage} /> },
          ]}
        />
      </Section>
      <Section title="Expires within 30 days">
        <Rows
          caption="Keys, secrets and tokens that expire soon"
          items={data.expiringCredentials}
          idOf={({ kind, id }) => `${kind} ${id}`}
          none="No key, secret or token expires within 30 days."
          columns={[
            { name: 'What', cell: ({ kind }) => KINDS[kind] },
            { name: 'Of', cell: (credential) => <Owner of={credential} /> },
            {
              name: 'Expires',
              cell: ({ expiresAt, expired }) =>
                expired ? (
                  <Text c="var(--mantine-color-error)" inherit>
                    has expired, <Time at={expiresAt} />
                  </Text>
                ) : (
                  <>
                    in <Until at={expiresAt} />
                  </>
                ),
            },
          ]}
        />
      </Section>
    </>
  );
}

function Owner({ of: { kind, id, label, appId } }: { of: AttentionQuery['expiringCredentials'][number] }) {
  if (appId !== null) return <To href={`/apps/${appId}`}>{label}</To>;
  const places: Partial<Record<CredentialKind, string>> = {
    REGISTRATION_SECRET: `/registrations/${id}`,
    ISSUER_SECRET: '/issuers',
    ADMIN_TOKEN: '/tokens',
  };
  const place = places[kind];
  return place === undefined ? label : <To href={place}>{label}</To>;
}
