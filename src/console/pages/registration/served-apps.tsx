import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import {
  ServeAppDocument,
  StopServingAppDocument,
  type WholeRegistrationFragment,
} from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { AppChoice } from '../../parts/app-choice.tsx';
import { AppName } from '../../parts/app-name.tsx';
import { EntryForm } from '../../parts/entry-form.tsx';
import { Section } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { touched } from '../../words/count.ts';

export function ServedApps({
  registration: { id: registrationId, apps },
}: {
  registration: WholeRegistrationFragment;
}) {
  const [serve, stop] = [useAct(ServeAppDocument), useAct(StopServingAppDocument)];
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Section title="Apps it serves">
      <Rows
        caption="Apps that this registration serves"
        items={apps}
        idOf={({ appId }) => appId}
        none="It serves no app yet."
        columns={[
          { name: 'App', cell: ({ appId, name }) => <AppName id={appId} name={name} /> },
          { name: 'Since', cell: ({ since }) => <Time at={since} /> },
          {
            name: 'Calls today',
            cell: ({ callsUsed, quotaPercent, callsAllowed }) =>
              callsAllowed === null
                ? callsUsed.toLocaleString('en')
                : `${callsUsed.toLocaleString('en')} of ${callsAllowed.toLocaleString('en')} (${quotaPercent} %)`,
          },
          {
            name: '',
            cell: ({ appId, name }) => (
              <ActButton
                operation="stopServingApp"
                label="Stop serving…"
                about={name}
                size="xs"
                confirm={{
                  title: `Stop serving ${name}`,
                  action: 'Stop serving',
                  isDanger: true,
                  foresee: async () => {
                    const { data, problem } = await stop({ registrationId, appId, dryRun: true });
                    return problem ? { problem } : { text: touched(data.stopServingApp) };
                  },
                }}
                act={async () => (await stop({ registrationId, appId, dryRun: false })).problem}
                done="It serves this app no longer."
              />
            ),
          },
        ]}
      />
      <EntryForm>
        <AppChoice
          label="Another app"
          placeholder="Choose an app"
          value={chosen}
          onChoose={setChosen}
          without={apps.map(({ appId }) => appId)}
        />
        <ActButton
          type="submit"
          operation="serveApp"
          label="Serve it"
          act={async () => {
            if (chosen === null) return { code: 'BAD_USER_INPUT', message: 'Choose an app first.' };
            const { problem } = await serve({ registrationId, appId: chosen });
            if (!problem) setChosen(null);
            return problem;
          }}
          done="It serves this app from now on."
        />
      </EntryForm>
    </Section>
  );
}
