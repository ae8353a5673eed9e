import { Paper, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct, useAsk } from '../../ask/hooks.ts';
import { RegistrationsDocument, ServeAppDocument, type SocialProvider } from '../../generated/operations.ts';
import { To } from '../../parts/links.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

/** Which of our clients at each provider serves the app. */
export function RegistrationStep({ app, onDone }: StepProps) {
  const { data, problem, again } = useAsk(RegistrationsDocument, {});
  const serve = useAct(ServeAppDocument);
  const [chosen, setChosen] = useState<Partial<Record<SocialProvider, string | null>>>({});
  const all = data?.registrations ?? [];
  const providers = app.policies.map(({ provider }) => provider);
  const serving = (provider: SocialProvider) => app.registrations.find((one) => one.provider === provider);
  // With only one to choose from, it is that one.
  const choiceAt = (provider: SocialProvider) => {
    const [only, ...others] = all.filter((one) => one.provider === provider);
    return chosen[provider] ?? (others.length === 0 ? (only?.id ?? null) : null);
  };
  // Before they are known nothing could be chosen, and going on would leave the app unserved.
  if (data === undefined) return problem ? <ProblemNote problem={problem} onAgain={again} /> : <Waiting />;
  return (
    <StepForm
      title="By which client of ours?"
      lead={
        <>
          A registration is our OAuth client at a provider; several apps may share one. A new one is made under{' '}
          <To inText href="/registrations">
            Registrations
          </To>
          : come back to this address afterwards.
        </>
      }
      submit="Have these serve the app"
      onSkip={onDone}
      act={async () => {
        for (const provider of providers) {
          const registrationId = choiceAt(provider);
          if (serving(provider) || registrationId === null) continue;
          const { problem } = await serve({ registrationId, appId: app.id });
          if (problem) return problem;
        }
        onDone();
        return undefined;
      }}
    >
      <Stack gap="sm">
        {providers.map((provider) => {
          const known = serving(provider);
          const choices = all.filter((one) => one.provider === provider);
          return (
            <Paper key={provider} withBorder p="md">
              {known ? (
                <Text>
                  {provider}: served by {known.label}.
                </Text>
              ) : (
                <Select
                  label={`Registration at ${provider}`}
                  placeholder={choices.length === 0 ? 'There is none at this provider yet' : 'Choose one'}
                  data={choices.map(({ id, label }) => ({ value: id, label }))}
                  value={choiceAt(provider)}
                  onChange={(id) => setChosen({ ...chosen, [provider]: id })}
                />
              )}
            </Paper>
          );
        })}
      </Stack>
    </StepForm>
  );
}
