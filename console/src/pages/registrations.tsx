import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SETTINGS_POLL_MS } from '../admin-client/polling.ts';
import { DataTable, EmptyState } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CopyableText, InternalLink } from '../components/links.tsx';
import { NewRegistration } from '../components/new-registration.tsx';
import { Page, Section } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { QueryState } from '../components/query-state.tsx';
import { QuotaUsage } from '../components/quota-usage.tsx';
import { RegistrationStatusLine } from '../components/registration-status.tsx';
import { TimeCell } from '../components/time.tsx';
import { RegistrationsDocument, ServiceDocument } from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import { explainMissingRole } from '../texts/roles.ts';

export function Registrations() {
  const { me } = useSession();
  const query = useAdminQuery(RegistrationsDocument, {}, { pollMs: SETTINGS_POLL_MS });
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
          empty={
            <EmptyState
              icon="registrations"
              action={missingRole === undefined && <Button onClick={open}>New registration</Button>}
            >
              There are no registrations yet. People can connect at a platform once our client there is one.
            </EmptyState>
          }
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
            { name: 'Apps', share: 20, cell: ({ apps }) => formatNames(apps.map(({ name }) => name)) },
            { name: 'Quota used', isExtra: true, cell: ({ usage }) => <QuotaUsage usage={usage} isShort /> },
            {
              name: 'Secret expires',
              cell: ({ secretExpiresAt }) => (secretExpiresAt ? <TimeCell at={secretExpiresAt} /> : 'unknown'),
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
              { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
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
