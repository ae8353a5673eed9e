import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { ActionButton, DryRunButton } from '../../components/action-button.tsx';
import { AppLink } from '../../components/app-link.tsx';
import { AppSelect } from '../../components/app-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import {
  type RegistrationDetailsFragment,
  ServeAppDocument,
  StopServingAppDocument,
} from '../../generated/operations.ts';
import { describeImpact } from '../../texts/format.ts';

export function ServedApps({
  registration: { id: registrationId, apps, warnings },
}: {
  registration: RegistrationDetailsFragment;
}) {
  const serve = useAdminMutation(ServeAppDocument);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Section title="Served apps">
      {warnings.map((text) => (
        <Alert key={text} color="orange" role="status">
          {text}
        </Alert>
      ))}
      <DataTable
        caption="Served apps"
        items={apps}
        idOf={({ appId }) => appId}
        empty="This registration serves no app yet."
        columns={[
          { name: 'App', cell: ({ appId, name }) => <AppLink id={appId} name={name} /> },
          { name: 'Serving since', cell: ({ since }) => <Time at={since} /> },
          {
            name: 'Units used',
            cell: ({ unitsUsed, quotaPercent, unitsAllowed }) => (
              <>
                {unitsUsed.toLocaleString('en')}
                {unitsAllowed !== null && (
                  <>
                    {' '}
                    of {unitsAllowed.toLocaleString('en')}
                    <Text size="xs" c="dimmed">
                      its limit: {quotaPercent} % of the registration’s quota
                    </Text>
                  </>
                )}
              </>
            ),
          },
          {
            name: '',
            cell: ({ appId, name }) => (
              <DryRunButton
                mutation={StopServingAppDocument}
                variables={{ registrationId, appId }}
                label="Stop serving…"
                target={name}
                size="xs"
                confirm={{ title: `Stop serving ${name}`, action: 'Stop serving', isDanger: true }}
                describe={({ stopServingApp }) => ({ text: describeImpact(stopServingApp) })}
                successMessage="The registration no longer serves this app."
              />
            ),
          },
        ]}
      />
      <InlineForm>
        <AppSelect
          label="Add an app"
          placeholder="Choose an app"
          value={chosen}
          onChange={setChosen}
          excludedIds={apps.map(({ appId }) => appId)}
        />
        <ActionButton
          type="submit"
          operation="serveApp"
          label="Serve app"
          run={async () => {
            if (chosen === null) return { code: 'BAD_USER_INPUT', message: 'Choose an app.' };
            const { problem } = await serve({ registrationId, appId: chosen });
            if (!problem) setChosen(null);
            return problem;
          }}
          successMessage="The registration serves this app."
        />
      </InlineForm>
    </Section>
  );
}
