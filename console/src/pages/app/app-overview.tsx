import { Alert, Button, Group, List, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { PLATFORM_NAMES } from '../../../../src/basics/codes.ts';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { SETTINGS_POLL_MS } from '../../admin-client/polling.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { PlatformName } from '../../components/platform.tsx';
import { RegistrationStatusLine } from '../../components/registration-status.tsx';
import { Tile } from '../../components/tile.tsx';
import {
  type AppDetailsFragment,
  ConnectionCountDocument,
  type ConnectionStatus,
  RegistrationsDocument,
  ServeAppDocument,
} from '../../generated/operations.ts';
import { useSession } from '../../session.tsx';
import { shortenId } from '../../texts/format.ts';
import { explainMissingRole } from '../../texts/roles.ts';
import { EnableButton } from './enable-button.tsx';
import { LastUse } from './keys.tsx';

/** Whether the app is set up, and whether it is in use. */
export const AppOverview = ({ app }: { app: AppDetailsFragment }) => (
  <Stack gap="lg">
    {app.missing.length > 0 ? <Missing app={app} /> : <Text>People can connect accounts with this app.</Text>}
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      <ConnectionTile app={app} name="Connected" status="CONNECTED" />
      <ConnectionTile app={app} name="Reconnect required" status="RECONNECT_REQUIRED" />
      <KeysTile keys={app.keys} />
      <Tile name="Requests per second" value={app.requestsPerSecond} note="at most" />
    </SimpleGrid>
    <Section
      title="Registrations"
      lead="The OAuth clients that serve this app. A new attempt uses the first active one of its platform."
    >
      <DataTable
        caption="Registrations that serve this app"
        items={app.registrations}
        idOf={(registration) => registration.id}
        empty="No registration serves this app."
        columns={[
          {
            name: 'Registration',
            cell: (registration) => (
              <InternalLink href={`/registrations/${registration.id}`}>{registration.label}</InternalLink>
            ),
          },
          { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
          { name: 'Status', share: 50, cell: (registration) => <RegistrationStatusLine of={registration} /> },
        ]}
      />
      <ServeForm app={app} />
    </Section>
  </Stack>
);

/** Lets one more registration serve the app. */
function ServeForm({ app }: { app: AppDetailsFragment }) {
  const { data } = useAdminQuery(RegistrationsDocument, {});
  const serve = useAdminMutation(ServeAppDocument);
  const [chosen, setChosen] = useState<string | null>(null);
  const others = (data?.registrations ?? []).filter(({ id }) => app.registrations.every((one) => one.id !== id));
  if (others.length === 0) return null;
  return (
    <InlineForm>
      <Select
        label="Add a registration"
        placeholder="Choose a registration"
        // Two may have the same label.
        data={others.map(({ id, label, provider }) => ({
          value: id,
          label: `${label} at ${PLATFORM_NAMES[provider]} (${shortenId(id)})`,
        }))}
        value={chosen}
        onChange={setChosen}
        w={{ base: '100%', sm: 360 }}
      />
      <ActionButton
        type="submit"
        operation="serveApp"
        label="Let it serve this app"
        run={async () => {
          if (chosen === null) return { code: 'BAD_USER_INPUT', message: 'Choose a registration.' };
          const { problem } = await serve({ registrationId: chosen, appId: app.id });
          if (!problem) setChosen(null);
          return problem;
        }}
        successMessage="The registration serves this app."
      />
    </InlineForm>
  );
}

function Missing({ app }: { app: AppDetailsFragment }) {
  const { me } = useSession();
  const isSetUp = isComplete(app);
  return (
    <Alert
      color="orange"
      title={isSetUp ? 'People cannot connect at every platform' : 'Before this app can connect accounts'}
    >
      <List size="sm">
        {app.missing.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
      {(!app.enabled || !isSetUp) && (
        <Group mt="sm" gap="xs">
          {!app.enabled && <EnableButton app={app} />}
          {!isSetUp && explainMissingRole(me.role, 'createApp') === undefined && (
            <Button component={Link} href={`/apps/new?app=${app.id}`} variant="default" size="xs">
              Continue setup
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}

/** Whether it has all that a set-up makes. A registration may still be paused or refused, and the app disabled. */
const isComplete = ({ keys, tenantCount, returnUrls, policies, registrations }: AppDetailsFragment): boolean =>
  keys.some(({ active }) => active) &&
  tenantCount > 0 &&
  returnUrls.length > 0 &&
  policies.length > 0 &&
  policies.every(({ provider }) => registrations.some((one) => one.provider === provider));

interface ConnectionTileProps {
  readonly app: AppDetailsFragment;
  readonly name: string;
  readonly status: ConnectionStatus;
}

function ConnectionTile({ app: { id }, name, status }: ConnectionTileProps) {
  const filter = { appId: id, statuses: [status] };
  const { data } = useAdminQuery(ConnectionCountDocument, { filter }, { pollMs: SETTINGS_POLL_MS });
  const { count, isExact } = data?.count ?? { count: undefined, isExact: true };
  return (
    <Tile
      name={name}
      href={`/connections?${new URLSearchParams({ app: id, status })}`}
      value={count === undefined ? '…' : `${count.toLocaleString('en')}${isExact ? '' : '+'}`}
    />
  );
}

function KeysTile({ keys }: { keys: AppDetailsFragment['keys'] }) {
  const uses = keys.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).sort();
  const last = uses.at(-1);
  return (
    <Tile
      name="Working keys"
      value={keys.filter(({ active }) => active).length}
      note={
        last === undefined ? (
          'never used'
        ) : (
          <>
            last used <LastUse at={last} />
          </>
        )
      }
    />
  );
}
