import { Alert, Button, Group, List, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useLocation, useParams } from 'wouter';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminMutation, useAdminQuery, useQuestion } from '../../admin-client/hooks.ts';
import { ActionButton, MutationButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { CopyableText, InternalLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { PageParts } from '../../components/page-parts.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { RegistrationStatus } from '../../components/registration-status.tsx';
import { Age, useNow } from '../../components/time.tsx';
import {
  type AppDetailsFragment,
  AppDocument,
  AppUseDocument,
  type AppUseQuery,
  ChangeAppDocument,
  DeleteAppDocument,
  DisableAppDocument,
  EnableAppDocument,
} from '../../generated/operations.ts';
import { useSession } from '../../session.tsx';
import { describeLength, findNameFault, NAME_LENGTH } from '../../texts/field-problems.ts';
import { formatCount } from '../../texts/format.ts';
import { explainMissingRole } from '../../texts/roles.ts';
import { Addresses } from './addresses.tsx';
import { Branding } from './branding.tsx';
import { Identity } from './identity.tsx';
import { Keys } from './keys.tsx';
import { Policies } from './policies.tsx';
import { Tenants } from './tenants.tsx';
import { Webhooks } from './webhooks.tsx';

/** The parts of the page, in their order. */
const PARTS = [
  'Keys',
  'Tenants',
  'Return URLs',
  'Launch origins',
  'Policies',
  'Registrations',
  'Webhooks',
  'Sign-in',
  'Branding',
  'Name and rate limit',
];

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
          <PageParts titles={PARTS} />
          {app.missing.length > 0 && (
            <Alert color="orange" title="Before this app can connect accounts">
              <List size="sm">
                {app.missing.map((text) => (
                  <List.Item key={text}>{text}</List.Item>
                ))}
              </List>
              <Group mt="sm" gap="xs">
                {!app.enabled && <EnableButton app={app} />}
                {app.missing.length > (app.enabled ? 0 : 1) &&
                  explainMissingRole(me.role, 'createApp') === undefined && (
                    <Button component={Link} href={`/apps/new?app=${app.id}`} variant="default" size="xs">
                      Continue setup
                    </Button>
                  )}
              </Group>
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

function Actions({ app }: { app: AppDetailsFragment }) {
  const { id, name, enabled } = app;
  const ask = useQuestion(AppUseDocument);
  const [, go] = useLocation();
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
            title: `Disable ${name}`,
            action: 'Disable',
            isDanger: true,
            text: 'The service refuses its requests from now on, until you enable it again. Its connections stay, and revokes continue.',
            preview: async () => {
              const { data, problem } = await ask({ id });
              return problem ? { problem } : { text: <AppImpact of={data} /> };
            },
          }}
          variables={{ id }}
          successMessage={`${name} is disabled.`}
        />
      ) : (
        <>
          <EnableButton app={app} />
          <MutationButton
            mutation={DeleteAppDocument}
            label="Delete…"
            color="red"
            variant="outline"
            confirm={{
              title: `Delete ${name}`,
              action: 'Delete',
              isDanger: true,
              text: 'For an app that was registered by mistake. Its settings and revoked keys go with it. The audit log keeps its id.',
              preview: async () => {
                const { data, problem } = await ask({ id });
                if (problem) return { problem };
                return data.appUse.deletable
                  ? { text: 'Nobody has connected with it, and no key of it works.' }
                  : { isNothing: true, text: 'It is in use, or was, or a key of it works: it stays disabled.' };
              },
            }}
            variables={{ id }}
            onDone={() => go('/apps')}
            successMessage={`${name} is deleted.`}
          />
        </>
      )}
    </>
  );
}

const EnableButton = ({ app: { id, name } }: { app: AppDetailsFragment }) => (
  <MutationButton
    mutation={EnableAppDocument}
    label="Enable"
    variant="filled"
    variables={{ id }}
    successMessage={`${name} is enabled.`}
  />
);

const HOUR_MS = 3_600_000;
/** The service counts up to this. */
const MOST_COUNTED = 100_000;

/** Whom it hits if an app is disabled, and whether it is in use now. */
function AppImpact({ of: { app, appUse } }: { of: AppUseQuery }) {
  const { connectionCount } = appUse;
  const now = useNow();
  const uses = app.keys.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [Date.parse(lastUsedAt)]));
  const last = uses.length === 0 ? undefined : Math.max(...uses);
  const count =
    connectionCount > MOST_COUNTED
      ? `More than ${MOST_COUNTED.toLocaleString('en')} connections`
      : formatCount(connectionCount, 'connection');
  return (
    <Stack gap="xs">
      <Text>
        {count} {connectionCount === 1 ? 'depends' : 'depend'} on it.
      </Text>
      {last === undefined && <Text>No key of it was ever used.</Text>}
      {last !== undefined && now - last < HOUR_MS && (
        <Alert color="orange">It was used in the last hour: a system gets errors from now on.</Alert>
      )}
      {last !== undefined && now - last >= HOUR_MS && (
        <Text>
          It was last used <Age since={new Date(last).toISOString()} /> ago.
        </Text>
      )}
    </Stack>
  );
}

function NameAndRate({ app }: { app: AppDetailsFragment }) {
  const change = useAdminMutation(ChangeAppDocument);
  const form = useForm({
    initialValues: { name: app.name, requestsPerSecond: app.requestsPerSecond },
    validate: {
      name: findNameFault,
    },
  });
  return (
    <Section title="Name and rate limit">
      <InlineForm>
        <TextInput
          label="Name"
          description={describeLength(form.values.name, NAME_LENGTH)}
          {...form.getInputProps('name')}
        />
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
            const { errors, hasErrors } = form.validate();
            if (hasErrors) return { code: 'BAD_USER_INPUT', message: String(errors.name) };
            return (await change({ id: app.id, ...form.values })).problem;
          }}
          successMessage="Saved."
        />
      </InlineForm>
    </Section>
  );
}
