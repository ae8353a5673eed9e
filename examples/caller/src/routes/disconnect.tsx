import { Hono } from 'hono';
import type { SyncJob } from 'social-account-connection-client';
import { ServiceError } from 'social-account-connection-client';
import { catchRefusal, getScope, requireUser, type Studio, type StudioEnv } from '../context.ts';
import type { User } from '../storage.ts';
import { PROVIDERS } from '../texts.ts';
import { areJobsSettled, ConfirmDisconnect, ReceiptPage } from '../views/disconnect.tsx';
import { getAccountName } from '../views/home.tsx';
import { renderPage } from '../views/layout.tsx';

const PATH = '/connections/:id/disconnect';

/** Disconnects an account and shows the receipts. */
export function disconnectRoutes(studio: Studio): Hono<StudioEnv> {
  const { config, service, storage } = studio;
  const routes = new Hono<StudioEnv>();

  routes.get(PATH, async (c) => {
    const { user } = requireUser(c);
    const { name, provider } = await describeAccount(studio, user, c.req.param('id'));
    return renderPage(
      c,
      { title: `Disconnect ${name}` },
      <ConfirmDisconnect connectionId={c.req.param('id')} name={name} provider={provider} />,
    );
  });

  routes.post(PATH, async (c) => {
    const { user } = requireUser(c);
    const connectionId = c.req.param('id');
    const scope = getScope(studio, user);
    const described = await describeAccount(studio, user, connectionId);
    // A repeated request returns the same two jobs.
    const { revokeJobId, eraseJobId } = await service.disconnectConnection({ scope, connectionId });
    storage.saveReceipt(user, { connectionId, ...described, revokeJobId, eraseJobId, at: new Date().toISOString() });
    return c.redirect(`/receipts/${connectionId}`, 303);
  });

  routes.get('/receipts/:id', async (c) => {
    const { user } = requireUser(c);
    const receipt = user.receipts.find(({ connectionId }) => connectionId === c.req.param('id'));
    if (receipt === undefined) throw new ServiceError('NOT_FOUND', 'Receipt not found.');
    const read = async (id: string): Promise<SyncJob | undefined> => {
      const { connectionId } = receipt;
      const answer = await catchRefusal(service.syncJob({ scope: getScope(studio, user), connectionId, id }));
      if (!(answer instanceof ServiceError)) return answer;
      if (answer.code === 'NOT_FOUND') return undefined; // The service deletes receipts after seven days.
      throw answer;
    };
    const [revoke, erase] = await Promise.all([read(receipt.revokeJobId), read(receipt.eraseJobId)]);
    return renderPage(
      c,
      { title: `Disconnect ${receipt.name}`, pollSeconds: areJobsSettled(revoke, erase) ? undefined : 2 },
      <ReceiptPage receipt={receipt} revoke={revoke} erase={erase} appsUrl={config.appsUrls[receipt.provider]} />,
    );
  });

  return routes;
}

/** Names the account. If the service does not return it, the name is that of its provider, so it can still be disconnected. */
async function describeAccount(studio: Studio, user: User, connectionId: string) {
  const answer = await catchRefusal(studio.service.connection({ scope: getScope(studio, user), id: connectionId }));
  if (!(answer instanceof ServiceError)) {
    return { name: getAccountName(answer), provider: answer.provider };
  }
  const known = user.accounts.find((account) => account.connectionId === connectionId);
  if (known === undefined || answer.code === 'NOT_FOUND') throw answer;
  return { name: `Account at ${PROVIDERS[known.provider].name}`, provider: known.provider };
}
