import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Awake, useSomebodyThere } from './ask/pace.ts';
import { Connection } from './pages/connection.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Overview } from './pages/overview/overview.tsx';
import { Work } from './pages/work.tsx';
import { Boundary } from './parts/boundary.tsx';
import { Clock } from './parts/time.tsx';
import { Waiting } from './parts/waiting.tsx';
import { PushesWatched } from './pushes.tsx';
import { SignedIn } from './session.tsx';
import { Shell } from './shell.tsx';

/** A page that is loaded when it is first opened. */
const later = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

/** What a stuck revoke takes is there from the start; the rest comes when it is asked for. */
const PLACES: readonly (readonly [path: string, page: ComponentType])[] = [
  ['/', Overview],
  ['/jobs', Work],
  ['/jobs/:id', later(() => import('./pages/job.tsx'), 'Job')],
  ['/connections', later(() => import('./pages/connections.tsx'), 'Connections')],
  ['/connections/:id', Connection],
  ['/attempts', later(() => import('./pages/attempts.tsx'), 'Attempts')],
  ['/attempts/:id', later(() => import('./pages/attempt.tsx'), 'Attempt')],
  ['/people', later(() => import('./pages/people.tsx'), 'People')],
  ['/erasures/:id', later(() => import('./pages/erasure.tsx'), 'Erasure')],
  ['/apps', later(() => import('./pages/apps.tsx'), 'Apps')],
  ['/apps/new', later(() => import('./pages/set-up/set-up.tsx'), 'SetUp')],
  ['/apps/:id', later(() => import('./pages/app/app.tsx'), 'App')],
  ['/registrations', later(() => import('./pages/registrations.tsx'), 'Registrations')],
  ['/registrations/:id', later(() => import('./pages/registration/registration.tsx'), 'Registration')],
  ['/issuers', later(() => import('./pages/issuers.tsx'), 'Issuers')],
  ['/disconnects', later(() => import('./pages/disconnects.tsx'), 'Disconnects')],
  ['/disconnects/:id', later(() => import('./pages/disconnect.tsx'), 'Disconnect')],
  ['/audit', later(() => import('./pages/audit.tsx'), 'Audit')],
  ['/tokens', later(() => import('./pages/tokens.tsx'), 'Tokens')],
];

export function Console() {
  const somebodyThere = useSomebodyThere();
  return (
    <Awake value={somebodyThere}>
      <SignedIn>
        <Clock>
          <PushesWatched>
            <Shell>
              <Place />
            </Shell>
          </PushesWatched>
        </Clock>
      </SignedIn>
    </Awake>
  );
}

/** The page at this address. */
function Place() {
  const [location] = useLocation();
  return (
    <Boundary key={location}>
      <Suspense fallback={<Waiting />}>
        <Switch>
          {PLACES.map(([path, page]) => (
            <Route key={path} path={path} component={page} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Boundary>
  );
}
