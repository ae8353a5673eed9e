import { Button, Group, Paper, Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAdminQuery } from '../../admin-client/hooks.ts';
import { EmptyState } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { type AppDetailsFragment, AppDocument } from '../../generated/operations.ts';
import { useSession } from '../../session.tsx';
import { explainMissingRole } from '../../texts/roles.ts';
import { KeyStep } from './key-step.tsx';
import { NameStep } from './name-step.tsx';
import { PolicyStep } from './policy-step.tsx';
import { RegistrationStep } from './registration-step.tsx';
import { ReturnUrlStep } from './return-url-step.tsx';
import { TenantStep } from './tenant-step.tsx';

const STEPS = [
  ['Name', 'shown to people'],
  ['Tenant', 'a customer'],
  ['Return URL', 'after connecting'],
  ['Policy', 'capabilities'],
  ['Registration', 'OAuth clients'],
  ['Key', 'and a test'],
] as const;

/**
 * Creates an app that can connect accounts, in six steps. Each step is saved when it is done, and the URL contains the
 * app's id, so an operator can leave and continue later.
 */
export function AppSetup() {
  const { me } = useSession();
  const [params, setParams] = useSearchParams();
  const id = params.get('app');
  const query = useAdminQuery(AppDocument, { id: id ?? '' }, { pause: id === null });
  const missingRole = explainMissingRole(me.role, 'createApp');
  const app = id === null ? undefined : query.data?.app;
  return (
    <Page
      title={app === undefined ? 'Set up an app' : `Set up ${app.name}`}
      lead="Six steps, from a name to a first request."
    >
      {id !== null && <QueryState of={query} />}
      {missingRole !== undefined && <EmptyState>{missingRole}</EmptyState>}
      {missingRole === undefined && id === null && (
        <Steps active={0}>
          <NameStep onCreated={(created) => setParams({ app: created }, { replace: true })} />
        </Steps>
      )}
      {missingRole === undefined && app && <RemainingSteps key={app.id} app={app} />}
    </Page>
  );
}

/** The first step that is not done. */
function findFirstOpenStep({ tenantCount, returnUrls, policies, registrations }: AppDetailsFragment): number {
  if (tenantCount === 0) return 1;
  if (returnUrls.length === 0) return 2;
  if (policies.length === 0) return 3;
  return policies.every(({ provider }) => registrations.some((one) => one.provider === provider)) ? 5 : 4;
}

function RemainingSteps({ app }: { app: AppDetailsFragment }) {
  const [active, setActive] = useState(() => findFirstOpenStep(app));
  const step = { app, onDone: () => setActive(active + 1) };
  return (
    <Steps active={active} onStep={(index) => index > 0 && setActive(index)}>
      {active === 1 && <TenantStep {...step} />}
      {active === 2 && <ReturnUrlStep {...step} />}
      {active === 3 && <PolicyStep {...step} />}
      {active === 4 && <RegistrationStep {...step} />}
      {active === 5 && <KeyStep app={app} />}
    </Steps>
  );
}

interface StepsProps {
  readonly active: number;
  readonly onStep?: (index: number) => void;
  readonly children: ReactNode;
}

function Steps({ active, onStep, children }: StepsProps) {
  const isNarrow = useMediaQuery('(max-width: 62em)');
  return (
    <>
      {isNarrow ? (
        <Group justify="space-between">
          <Text fw={600}>
            Step {active + 1} of {STEPS.length}: {STEPS[active]?.[0]}
          </Text>
          {onStep && active > 1 && (
            <Button variant="subtle" onClick={() => onStep(active - 1)}>
              Back
            </Button>
          )}
        </Group>
      ) : (
        <Stepper active={active} {...(onStep && { onStepClick: onStep })} allowNextStepsSelect={false} size="sm">
          {STEPS.map(([name, description]) => (
            <Stepper.Step key={name} label={name} description={description} />
          ))}
        </Stepper>
      )}
      <Paper withBorder p="lg" maw={760}>
        {children}
      </Paper>
    </>
  );
}
