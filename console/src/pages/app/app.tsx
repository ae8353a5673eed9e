import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';
import { useAdminMutation, useAdminQuery, useQuestion } from '../../admin-client/hooks.ts';
import { SETTINGS_POLL_MS } from '../../admin-client/polling.ts';
import { MutationButton } from '../../components/action-button.tsx';
import { CopyableText } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { type SettingsField, SettingsForm } from '../../components/settings-form.tsx';
import { StateBadge } from '../../components/status-badge.tsx';
import { Age, useNow } from '../../components/time.tsx';
import {
  type AppDetailsFragment,
  AppDocument,
  AppUseDocument,
  type AppUseQuery,
  BOUNDS,
  ChangeAppDocument,
  DeleteAppDocument,
  DisableAppDocument,
  EnableAppDocument,
} from '../../generated/operations.ts';
import { findNameFault } from '../../texts/field-problems.ts';
import { formatCount } from '../../texts/format.ts';
import { getAppState } from '../../texts/states.ts';
import { Addresses } from './addresses.tsx';
import { AppOverview } from './app-overview.tsx';
import { Branding } from './branding.tsx';
import { EnableButton } from './enable-button.tsx';
import { Identity } from './identity.tsx';
import { Keys } from './keys.tsx';
import { Policies } from './policies.tsx';
import { Tenants } from './tenants.tsx';
import { Webhooks } from './webhooks.tsx';

/** One app and its configuration. */
export function App() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(AppDocument, { id }, { pollMs: SETTINGS_POLL_MS });
  const app = query.data?.app;
  return (
    <Page
      title={app?.name ?? 'App'}
      badge={app && <StateBadge state={getAppState(app.enabled, app.missing)} />}
      lead={<CopyableText text={id} name="the app's id" />}
      actions={
        app && (
          <>
            <Button component={Link} href={`/connections?app=${id}`} variant="subtle">
              View connections
            </Button>
            {!app.enabled && <EnableButton app={app} />}
          </>
        )
      }
    >
      <QueryState of={query} />
      {app && (
        <PageTabs
          tabs={[
            { title: 'Overview', parts: ['Registrations'], content: <AppOverview app={app} /> },
            { title: 'Keys', content: <Keys app={app} /> },
            { title: 'Tenants', content: <Tenants app={app} /> },
            { title: 'Addresses', parts: ['Return URLs', 'Launch origins'], content: <Addresses app={app} /> },
            { title: 'Policies', content: <Policies app={app} /> },
            { title: 'Webhooks', content: <Webhooks appId={app.id} /> },
            { title: 'Sign-in', content: <Identity app={app} /> },
            { title: 'Branding', content: <Branding app={app} /> },
            {
              title: 'Settings',
              parts: ['General', 'Danger zone'],
              content: (
                <Stack gap="lg">
                  <NameAndRate app={app} />
                  <DangerZone app={app} />
                </Stack>
              ),
            },
          ]}
        />
      )}
    </Page>
  );
}

/** Actions that stop an app or cannot be undone. */
function DangerZone({ app }: { app: AppDetailsFragment }) {
  const { id, name, enabled } = app;
  const ask = useQuestion(AppUseDocument);
  const enable = useAdminMutation(EnableAppDocument);
  const [, go] = useLocation();
  return (
    <Section title="Danger zone">
      <Paper withBorder p="md" style={{ borderColor: 'var(--mantine-color-red-outline)' }}>
        <Group justify="space-between">
          <Text size="sm">
            {enabled
              ? 'Disable this app: the service refuses its requests. Its connections stay.'
              : 'Delete this app, if no one has connected with it.'}
          </Text>
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
              undo={async () => (await enable({ id })).problem}
            />
          ) : (
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
                    ? { text: 'No one has connected with it, and none of its keys works.' }
                    : { isNothing: true, text: 'It is in use, or was, or a key of it works: it stays disabled.' };
                },
              }}
              variables={{ id }}
              onDone={() => go('/apps')}
              successMessage={`${name} is deleted.`}
            />
          )}
        </Group>
      </Paper>
    </Section>
  );
}

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

/** One for each setting of `changeApp`. */
const SETTINGS = {
  name: {
    label: 'Name',
    named: 'The name',
    bounds: BOUNDS['changeApp.name'],
    findFault: findNameFault,
  },
  requestsPerSecond: {
    label: 'Requests per second',
    named: 'The limit',
    bounds: BOUNDS['changeApp.requestsPerSecond'],
  },
} satisfies Record<string, SettingsField>;

function NameAndRate({ app }: { app: AppDetailsFragment }) {
  const change = useAdminMutation(ChangeAppDocument);
  return (
    <Section title="General">
      <SettingsForm
        fields={SETTINGS}
        stored={app}
        operation="changeApp"
        save={async (values) => (await change({ ...values, id: app.id })).problem}
      />
    </Section>
  );
}
