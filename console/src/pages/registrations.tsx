import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { DataTable } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CopyableText, InternalLink } from '../components/links.tsx';
import { NewRegistration } from '../components/new-registration.tsx';
import { Page, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { QuotaUsage } from '../components/quota-usage.tsx';
import { RegistrationStatus } from '../components/registration-status.tsx';
import { Time } from '../components/time.tsx';
import { RegistrationsDocument, ServiceDocument } from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import { explainMissingRole } from '../texts/roles.ts';

export function Registrations() {
  const { me } = useSession();
  const query = useAdminQuery(RegistrationsDocument, {});
  const service = useAdminQuery(ServiceDocument, {});
  const [opened, { open, close }] = useDisclosure();
  const [, go] = useLocation();
  const missingRole = explainMissingRole(me.role, 'createRegistration');
  return (
    <Page
      title="Registrations"
      lead="Our OAuth clients at the providers. The console never shows their secrets."
      actions={missingRole === undefined && <Button onClick={open}>New registration</Button>}
    >
      <QueryState of={query} />
      {query.data && (
        <DataTable
          caption="Registrations"
          items={query.data.registrations}
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
            { name: 'Apps', cell: ({ apps }) => formatNames(apps.map(({ name }) => name)) },
            { name: 'Quota used', cell: ({ usage }) => <QuotaUsage usage={usage} /> },
            {
              name: 'Secret expires',
              cell: ({ secretExpiresAt }) => (secretExpiresAt ? <Time at={secretExpiresAt} /> : 'unknown'),
            },
          ]}
        />
      )}
      {service.data && (
        <Section
          title="Redirect URIs"
          lead="Enter the URI exactly as shown at the provider, for each of your clients there."
        >
          <DataTable
            caption="Redirect URIs"
            items={service.data.service.redirectUris}
            idOf={({ provider }) => provider}
            empty=""
            columns={[
              { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
              { name: 'Redirect URI', cell: ({ url }) => <CopyableText text={url} name="the redirect URI" /> },
            ]}
          />
        </Section>
      )}
      {opened && (
        <Dialog title="New registration" onClose={close} size="lg">
          <NewRegistration onCreated={(id) => go(`/registrations/${id}`)} />
        </Dialog>
      )}
    </Page>
  );
}

const MAX_NAMES_SHOWN = 3;

const formatNames = (names: readonly string[]): string => {
  if (names.length === 0) return 'none';
  const more = names.length - MAX_NAMES_SHOWN;
  return `${names.slice(0, MAX_NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
};
