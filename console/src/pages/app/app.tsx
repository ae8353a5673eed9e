import { Alert, Button, List, NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useParams } from 'wouter';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { ActionButton, MutationButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { CopyableText, InternalLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { RegistrationStatus } from '../../components/registration-status.tsx';
import {
  type AppDetailsFragment,
  AppDocument,
  ChangeAppDocument,
  DisableAppDocument,
  EnableAppDocument,
} from '../../generated/operations.ts';
import { useSession } from '../../session.tsx';
import { explainMissingRole } from '../../texts/roles.ts';
import { Addresses } from './addresses.tsx';
import { Branding } from './branding.tsx';
import { Identity } from './identity.tsx';
import { Keys } from './keys.tsx';
import { Policies } from './policies.tsx';
import { Tenants } from './tenants.tsx';
import { Webhooks } from './webhooks.tsx';

/** One app and its configuration. */
export function App() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(AppDocument, { id });
  const { me } = useSession();
  const app = query.data?.app;
  return (
    <Page
      title={app?.name ?? 'App'}
      lead={<CopyableText text={id} name="the app's id" />}
      actions={app && <Actions app={app} />}
    >
      <QueryState of={query} />
      {app && (
        <>
          {app.missing.length > 0 && (
            <Alert color="orange" title="Before this app can connect accounts">
              <List size="sm">
                {app.missing.map((text) => (
                  <List.Item key={text}>{text}</List.Item>
                ))}
              </List>
              {explainMissingRole(me.role, 'createApp') === undefined && (
                <Button component={Link} href={`/apps/new?app=${app.id}`} variant="default" size="xs" mt="sm">
                  Continue setup
                </Button>
              )}
            </Alert>
          )}
          <Keys app={app} />
          <Tenants app={app} />
          <Addresses app={app} />
          <Policies app={app} />
          <Section
            title="Registrations"
            lead="The OAuth clients that serve this app. A new attempt uses the first active one of its provider."
          >
            <DataTable
              caption="Registrations that serve this app"
              items={app.registrations}
              idOf={(registration) => registration.id}
              empty={
                <>
                  No registration serves this app. Open one of the{' '}
                  <InternalLink isInline href="/registrations">
                    registrations
                  </InternalLink>{' '}
                  to assign this app to it.
                </>
              }
              columns={[
                {
                  name: 'Registration',
                  cell: (registration) => (
                    <InternalLink href={`/registrations/${registration.id}`}>{registration.label}</InternalLink>
                  ),
                },
                { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
                { name: 'Status', cell: (registration) => <RegistrationStatus of={registration} /> },
              ]}
            />
          </Section>
          <Webhooks appId={app.id} />
          <Identity app={app} />
          <Branding app={app} />
          <NameAndRate app={app} />
        </>
      )}
    </Page>
  );
}

function Actions({ app: { id, enabled } }: { app: AppDetailsFragment }) {
  return (
    <>
      <Button component={Link} href={`/connections?app=${id}`} variant="subtle">
        View connections
      </Button>
      {enabled ? (
        <MutationButton
          mutation={DisableAppDocument}
          label="Disable…"
          color="red"
          variant="outline"
          confirm={{
            title: 'Disable this app',
            action: 'Disable',
            isDanger: true,
            text: 'The service refuses its requests from now on. Its connections stay, and revokes continue.',
          }}
          variables={{ id }}
          successMessage="App disabled."
        />
      ) : (
        <MutationButton
          mutation={EnableAppDocument}
          label="Enable"
          variant="filled"
          variables={{ id }}
          successMessage="App enabled."
        />
      )}
    </>
  );
}

function NameAndRate({ app }: { app: AppDetailsFragment }) {
  const change = useAdminMutation(ChangeAppDocument);
  const form = useForm({
    initialValues: { name: app.name, requestsPerSecond: app.requestsPerSecond },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name. People see it while they connect an account.' : null),
    },
  });
  return (
    <Section title="Name and rate limit">
      <InlineForm>
        <TextInput label="Name" maxLength={100} {...form.getInputProps('name')} />
        <NumberInput
          label="Requests per second"
          min={1}
          max={100_000}
          clampBehavior="none" // The api refuses a value out of range; the field does not change it.
          {...form.getInputProps('requestsPerSecond')}
        />
        <ActionButton
          type="submit"
          operation="changeApp"
          label="Save"
          run={async () => {
            if (form.validate().hasErrors) return { code: 'BAD_USER_INPUT', message: 'Enter a name.' };
            return (await change({ id: app.id, ...form.values })).problem;
          }}
          successMessage="Saved."
        />
      </InlineForm>
    </Section>
  );
}
