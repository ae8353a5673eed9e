import { Alert, Button, Group, List, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminMutation, useAdminQuery, useQuestion } from '../../admin-client/hooks.ts';
import { SETTINGS_POLL_MS } from '../../admin-client/polling.ts';
import { ActionButton, MutationButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
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
import { describeLength, findNameFault, findRangeFault, NAME_LENGTH } from '../../texts/field-problems.ts';
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
  const query = useAdminQuery(AppDocument, { id }, { pollMs: SETTINGS_POLL_MS });
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

const NAME_FIELDS = { name: 'The name', requestsPerSecond: 'The limit' };

function NameAndRate({ app: { id, name, requestsPerSecond } }: { app: AppDetailsFragment }) {
  const change = useAdminMutation(ChangeAppDocument);
  const draft = useDraft<{ name: string; requestsPerSecond: number | null }>({ name, requestsPerSecond });
  const { errorOf, clear, submit } = useFieldErrors(NAME_FIELDS);
  const { values } = draft;
  return (
    <Section title="Name and rate limit">
      <InlineForm>
        <TextInput
          label="Name"
          description={describeLength(values.name, NAME_LENGTH)}
          error={errorOf('name')}
          value={values.name}
          onChange={({ currentTarget }) => {
            clear('name');
            draft.set('name', currentTarget.value);
          }}
        />
        <NumberInput
          label="Requests per second"
          min={1}
          max={100_000}
          clampBehavior="none" // The field says what is out of range; it does not change it.
          allowDecimal={false}
          error={errorOf('requestsPerSecond')}
          value={values.requestsPerSecond ?? ''}
          onChange={(value) => {
            clear('requestsPerSecond');
            draft.set('requestsPerSecond', typeof value === 'number' ? value : null);
          }}
        />
        <ActionButton
          type="submit"
          operation="changeApp"
          label="Save"
          run={() =>
            submit(
              {
                name: findNameFault(values.name),
                requestsPerSecond: findRangeFault(values.requestsPerSecond, 1, 100_000),
              },
              async () => (await change({ id, ...values })).problem,
            )
          }
          successMessage="Saved."
        />
      </InlineForm>
      <Overtaken
        draft={draft}
        describe={{ name: ['The name', (stored) => `“${stored}”`], requestsPerSecond: ['The limit', String] }}
      />
    </Section>
  );
}
