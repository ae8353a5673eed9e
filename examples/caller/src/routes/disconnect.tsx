import { Hono } from 'hono';
import { catchRefusal, getScope, type Studio, type StudioEnv, signedIn } from '../context.ts';
import { DisconnectDocument, type JobFragment, OneAccountDocument, OneJobDocument } from '../generated/service.ts';
import { ServiceError } from '../service.ts';
import type { User } from '../storage.ts';
import { PROVIDERS } from '../texts.ts';
import { areJobsSettled, ConfirmDisconnect, ReceiptPage } from '../views/disconnect.tsx';
import { getAccountName } from '../views/home.tsx';
import { renderPage } from '../views/layout.tsx';

const PATH = '/connections/:id/disconnect';

/** Letting go of an account, and what has become of it. */
export function disconnectRoutes(studio: Studio): Hono<StudioEnv> {
  const { config, service, storage } = studio;
  const routes = new Hono<StudioEnv>();

  routes.get(PATH, async (c) => {
    const { user } = signedIn(c);
    const { name, provider } = await describeAccount(studio, user, c.req.param('id'));
    return renderPage(
      c,
      { title: `Disconnect ${name}` },
      <ConfirmDisconnect connectionId={c.req.param('id')} name={name} provider={provider} />,
    );
  });

  routes.post(PATH, async (c) => {
    const { user } = signedIn(c);
    const connectionId = c.req.param('id');
    const scope = getScope(studio, user);
    const described = await describeAccount(studio, user, connectionId);
    // Asked for twice, it gives the same two jobs.
    const { disconnectConnection: jobs } = await service(DisconnectDocument, { scope, connectionId });
    storage.noteReceipt(user, { connectionId, ...described, ...jobs, at: new Date().toISOString() });
    return c.redirect(`/receipts/${connectionId}`, 303);
  });

  routes.get('/receipts/:id', async (c) => {
    const { user } = signedIn(c);
    const receipt = user.receipts.find(({ connectionId }) => connectionId === c.req.param('id'));
    if (receipt === undefined) throw new ServiceError('NOT_FOUND', 'There is no such receipt.');
    const read = async (id: string): Promise<JobFragment | undefined> => {
      const { connectionId } = receipt;
      const answer = await catchRefusal(service(OneJobDocument, { scope: getScope(studio, user), connectionId, id }));
      if (!(answer instanceof ServiceError)) return answer.syncJob;
      if (answer.code === 'NOT_FOUND') return undefined; // Seven days have passed.
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

/** An account can be let go of even when the service does not show it; then it goes by its provider's name. */
async function describeAccount(studio: Studio, user: User, connectionId: string) {
  const answer = await catchRefusal(
    studio.service(OneAccountDocument, { scope: getScope(studio, user), id: connectionId }),
  );
  if (!(answer instanceof ServiceError)) {
    return { name: getAccountName(answer.connection), provider: answer.connection.provider };
  }
  const known = user.accounts.find((account) => account.connectionId === connectionId);
  if (known === undefined || answer.code === 'NOT_FOUND') throw answer;
  return { name: `Account at ${PROVIDERS[known.provider].name}`, provider: known.provider };
}
