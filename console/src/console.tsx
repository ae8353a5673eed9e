import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { PollingEnabled, useIsPageActive } from './admin-client/polling.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { LoadingPage } from './components/loading-page.tsx';
import { ClockProvider } from './components/time.tsx';
import { loadPatiently } from './load-patiently.ts';
import { Jobs } from './pages/jobs.tsx';
import { NotAnId } from './pages/not-an-id.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Overview } from './pages/overview/overview.tsx';
import { RetriesProvider } from './retries.tsx';
import { SessionProvider } from './session.tsx';
import { Shell } from './shell.tsx';
import { isId } from './texts/format.ts';

/** A page that loads when it is first opened. It waits while the network is gone. */
const lazyPage = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await loadPatiently(load))[name] }));

/** The overview and the jobs, where a stuck revoke is retried, are in the first download; the other pages load on demand. */
const ROUTES: readonly (readonly [path: string, page: ComponentType])[] = [
  ['/', Overview],
  ['/trends', lazyPage(() => import('./pages/trends.tsx'), 'Trends')],
  ['/jobs', Jobs],
  ['/jobs/:id', lazyPage(() => import('./pages/job.tsx'), 'Job')],
  ['/connections', lazyPage(() => import('./pages/connections.tsx'), 'Connections')],
  ['/connections/:id', lazyPage(() => import('./pages/connection.tsx'), 'Connection')],
  ['/attempts', lazyPage(() => import('./pages/attempts.tsx'), 'Attempts')],
  ['/attempts/:id', lazyPage(() => import('./pages/attempt.tsx'), 'Attempt')],
  ['/sign-ins/:id', lazyPage(() => import('./pages/sign-in-attempt.tsx'), 'SignInAttempt')],
  ['/people', lazyPage(() => import('./pages/people.tsx'), 'People')],
  ['/erasures', lazyPage(() => import('./pages/erasures.tsx'), 'Erasures')],
  ['/find', lazyPage(() => import('./pages/find.tsx'), 'Find')],
  ['/erasures/:id', lazyPage(() => import('./pages/erasure.tsx'), 'Erasure')],
  ['/apps', lazyPage(() => import('./pages/apps.tsx'), 'Apps')],
  ['/apps/new', lazyPage(() => import('./pages/app-setup/app-setup.tsx'), 'AppSetup')],
  ['/apps/:id', lazyPage(() => import('./pages/app/app.tsx'), 'App')],
  ['/registrations', lazyPage(() => import('./pages/registrations.tsx'), 'Registrations')],
  ['/registrations/:id', lazyPage(() => import('./pages/registration/registration.tsx'), 'Registration')],
  ['/unknown-answers', lazyPage(() => import('./pages/unknown-answers.tsx'), 'UnknownAnswers')],
  ['/issuers', lazyPage(() => import('./pages/issuers.tsx'), 'Issuers')],
  ['/issuers/:id', lazyPage(() => import('./pages/issuer.tsx'), 'Issuer')],
  ['/disconnects', lazyPage(() => import('./pages/bulk-disconnects.tsx'), 'BulkDisconnects')],
  ['/disconnects/:id', lazyPage(() => import('./pages/bulk-disconnect.tsx'), 'BulkDisconnect')],
  ['/webhooks', lazyPage(() => import('./pages/webhook-deliveries.tsx'), 'WebhookDeliveries')],
  ['/webhooks/deliveries/:id', lazyPage(() => import('./pages/webhook-delivery.tsx'), 'WebhookDelivery')],
  ['/webhooks/:id', lazyPage(() => import('./pages/webhook-endpoint/webhook-endpoint.tsx'), 'WebhookEndpoint')],
  ['/audit', lazyPage(() => import('./pages/audit.tsx'), 'Audit')],
  ['/tokens', lazyPage(() => import('./pages/tokens.tsx'), 'Tokens')],
];

export function Console() {
  const isActive = useIsPageActive();
  return (
    <PollingEnabled value={isActive}>
      <SessionProvider>
        <ClockProvider>
          <RetriesProvider>
            <Shell>
              <CurrentPage />
            </Shell>
          </RetriesProvider>
        </ClockProvider>
      </SessionProvider>
    </PollingEnabled>
  );
}

interface PageOfProps {
  readonly page: ComponentType;
  readonly id: string | undefined;
}

/** A mistyped id names nothing, so there is nothing to ask for. */
const PageOf = ({ page: CurrentPage, id }: PageOfProps) =>
  id === undefined || isId(id) ? <CurrentPage /> : <NotAnId text={id} />;

/** The page for the current URL. */
function CurrentPage() {
  const [location] = useLocation();
  return (
    <ErrorBoundary key={location}>
      <Suspense fallback={<LoadingPage />}>
        <Switch>
          {ROUTES.map(([path, page]) => (
            <Route key={path} path={path}>
              {({ id }: { id?: string }) => <PageOf page={page} id={id} />}
            </Route>
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
