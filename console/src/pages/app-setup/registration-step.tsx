import { Button, Paper, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { Dialog } from '../../components/dialog.tsx';
import { NewRegistration } from '../../components/new-registration.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { RegistrationsDocument, ServeAppDocument, type SocialProvider } from '../../generated/operations.ts';
import { shortenId } from '../../texts/format.ts';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

/** Chooses the registration that serves the app at each provider. */
export function RegistrationStep({ app, onDone }: StepProps) {
  const query = useAdminQuery(RegistrationsDocument, {});
  const serve = useAdminMutation(ServeAppDocument);
  const [chosen, setChosen] = useState<Partial<Record<SocialProvider, string | null>>>({});
  const [creating, setCreating] = useState<SocialProvider>();
  const all = query.data?.registrations ?? [];
  const providers = app.policies.map(({ provider }) => provider);
  const serving = (provider: SocialProvider) => app.registrations.find((one) => one.provider === provider);
  // A single option is preselected.
  const choiceAt = (provider: SocialProvider) => {
    const [only, ...others] = all.filter((one) => one.provider === provider);
    return chosen[provider] ?? (others.length === 0 ? (only?.id ?? null) : null);
  };
  // Beside the form: a form inside a form would submit both.
  const dialog = creating !== undefined && (
    <Dialog title="New registration" onClose={() => setCreating(undefined)} size="lg">
      <NewRegistration
        provider={creating}
        onCreated={(id) => {
          setChosen({ ...chosen, [creating]: id });
          setCreating(undefined);
        }}
      />
    </Dialog>
  );
  // Without the list, the operator could only continue without choosing a registration.
  if (query.data === undefined) return <QueryState of={query} />;
  return (
    <>
      {dialog}
      <StepForm
        title="Choose registrations"
        lead={
          <>
            A registration is our OAuth client at a provider. Several apps can share one. Choose those that serve{' '}
            {app.name}, or create one here.
          </>
        }
        submitLabel="Save registrations"
        onSkip={onDone}
        save={async () => {
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
                    {formatProvider(provider)}: {known.label}
                  </Text>
                ) : (
                  <Stack gap="xs" align="flex-start">
                    <Select
                      w="100%"
                      label={`Registration at ${formatProvider(provider)}`}
                      placeholder={choices.length === 0 ? 'There are no registrations yet' : 'Choose a registration'}
                      // Two may have the same label.
                      data={choices.map(({ id, label }) => ({ value: id, label: `${label} (${shortenId(id)})` }))}
                      value={choiceAt(provider)}
                      onChange={(id) => setChosen({ ...chosen, [provider]: id })}
                    />
                    <Button size="xs" variant="default" onClick={() => setCreating(provider)}>
                      New registration at {formatProvider(provider)}…
                    </Button>
                  </Stack>
                )}
              </Paper>
            );
          })}
        </Stack>
      </StepForm>
    </>
  );
}
