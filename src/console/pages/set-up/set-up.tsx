import { Button, Group, Paper, Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAsk } from '../../ask/hooks.ts';
import { OneAppDocument, type WholeAppFragment } from '../../generated/operations.ts';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Nothing } from '../../parts/rows.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useSession } from '../../session.tsx';
import { hindranceOf } from '../../words/roles.ts';
import { KeyStep } from './key-step.tsx';
import { NameStep } from './name-step.tsx';
import { PolicyStep } from './policy-step.tsx';
import { RegistrationStep } from './registration-step.tsx';
import { ReturnUrlStep } from './return-url-step.tsx';
import { TenantStep } from './tenant-step.tsx';

const STEPS = [
  ['Name', 'what people read'],
  ['Tenant', 'whose users'],
  ['Return URL', 'where they go back to'],
  ['Policy', 'what it may read'],
  ['Registration', 'by which client'],
  ['Key', 'and a first request'],
] as const;

/**
 * Leads from nothing to an app that can connect accounts. Each step is stored as it is done, and the app stands in the
 * address: whoever leaves in the middle comes back to where they were.
 */
export function SetUp() {
  const { me } = useSession();
  const [params, setParams] = useSearchParams();
  const id = params.get('app');
  const { data, problem, again } = useAsk(OneAppDocument, { id: id ?? '' }, { pause: id === null });
  const hindrance = hindranceOf(me.role, 'createApp');
  const app = id === null ? undefined : data?.app;
  return (
    <Page
      title={app === undefined ? 'Set up an app' : `Set up ${app.name}`}
      lead="Six steps, from a name to a first request that works."
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {hindrance !== undefined && <Nothing>{hindrance}</Nothing>}
      {hindrance === undefined && id === null && (
        <Steps active={0}>
          <NameStep onMade={(made) => setParams({ app: made }, { replace: true })} />
        </Steps>
      )}
      {id !== null && app === undefined && !problem && <Waiting />}
      {hindrance === undefined && app && <Rest key={app.id} app={app} />}
    </Page>
  );
}

/** The first step whose work has not been done. */
function firstToDo({ tenantCount, returnUrls, policies, registrations }: WholeAppFragment): number {
  if (tenantCount === 0) return 1;
  if (returnUrls.length === 0) return 2;
  if (policies.length === 0) return 3;
  return policies.every(({ provider }) => registrations.some((one) => one.provider === provider)) ? 5 : 4;
}

function Rest({ app }: { app: WholeAppFragment }) {
  const [active, setActive] = useState(() => firstToDo(app));
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
