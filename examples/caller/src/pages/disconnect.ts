import { html } from 'hono/html';
import { ServiceError, type SyncJob } from 'social-account-connection-client';
import * as ui from '../components.ts';
import { catchRefusal, newRoutes, requireUser, type Studio, type StudioContext } from '../context.ts';
import { formatTime } from '../format.ts';
import { renderPage } from '../layout.ts';
import { findAccount, findReceipt } from '../storage.ts';
import { describeJobError, getAccountName, type Mood, PROVIDERS } from '../texts.ts';

const PATH = '/connections/:id/disconnect';

/** Disconnects an account and shows the receipts. */
export function disconnectRoutes({ config, service, storage }: Studio) {
  const routes = newRoutes();

  routes.get(PATH, async (c) => {
    const id = c.req.param('id');
    const { name, provider } = await describeAccount(c, id);
    const content = html`<ul>
        <li>We stop reading the account at once.</li>
        <li>We revoke our access at ${PROVIDERS[provider].name}. If only you can revoke it, we tell you how.</li>
        <li>We erase its profile, posts and metrics.</li>
      </ul>
      <p class="soft">You can connect the account again later. We then read its posts again.</p>
      <div class="row">
        ${ui.actionForm(`/connections/${id}/disconnect`, 'Disconnect', { kind: 'danger' })}
        ${ui.linkButton(`/connections/${id}`, 'Keep connected')}
      </div>`;
    const title = html`Disconnect <bdi>${name}</bdi>?`;
    return renderPage(c, { title: `Disconnect ${name}` }, ui.message(title, content, provider));
  });

  routes.post(PATH, async (c) => {
    const { user, scope } = requireUser(c);
    const connectionId = c.req.param('id');
    const described = await describeAccount(c, connectionId);
    // A repeated request returns the same two jobs.
    const { revokeJobId, eraseJobId } = await service.disconnectConnection({ scope, connectionId });
    storage.saveReceipt(user, { connectionId, ...described, revokeJobId, eraseJobId, at: new Date().toISOString() });
    return c.redirect(`/receipts/${connectionId}`, 303);
  });

  /** Names the account. If the service does not return it, the name is that of its provider, so it can still be disconnected. */
  async function describeAccount(c: StudioContext, id: string) {
    const { user, scope } = requireUser(c);
    const answer = await catchRefusal(service.connection({ scope, id }));
    if (!(answer instanceof ServiceError)) return { name: getAccountName(answer), provider: answer.provider };
    const known = findAccount(user, id);
    if (known === undefined || answer.code === 'NOT_FOUND') throw answer;
    return { name: getAccountName({ ...known, profile: null }), provider: known.provider };
  }

  routes.get('/receipts/:id', async (c) => {
    const { user, scope } = requireUser(c);
    const receipt = findReceipt(user, c.req.param('id'));
    if (receipt === undefined) throw new ServiceError('NOT_FOUND', 'Receipt not found.');
    const { connectionId, provider, name, at, revokeJobId, eraseJobId } = receipt;
    const read = async (id: string): Promise<SyncJob | undefined> => {
      const answer = await catchRefusal(service.syncJob({ scope, connectionId, id }));
      if (!(answer instanceof ServiceError)) return answer;
      if (answer.code === 'NOT_FOUND') return undefined; // The service deletes receipts after seven days.
      throw answer;
    };
    const [revoke, erase] = await Promise.all([read(revokeJobId), read(eraseJobId)]);
    const isRunning = ui.isJobRunning(revoke) || ui.isJobRunning(erase);
    const step = (mood: Mood, title: string, text: ui.Html) =>
      html`<li class="${mood}"><strong>${title}</strong> <span>${text}</span></li>`;
    const steps = html`<p class="soft">${isRunning ? 'Disconnecting…' : 'Disconnected.'}</p>
      <ol class="steps">
        ${step('good', 'Access stopped', ui.dateTime(at))}
        ${step(getMood(revoke), `Access at ${PROVIDERS[provider].name}`, describeRevoke(revoke))}
        ${step(getMood(erase), 'Profile, posts and metrics', describeErase(erase))}
      </ol>
      ${revoke?.creatorAction && ui.removeAppNote(provider, config[`${provider}_APPS_URL`])}
      ${isRunning && html`<small>You can leave this page; the work continues. ${ui.refreshLink}</small>`}`;
    const content = html`${ui.live('receipts', steps, 'polite')}
      <details>
        <summary>For your records</summary>
        <dl>
          <dt>Receipt of the revoke</dt><dd><code>${revokeJobId}</code></dd>
          <dt>Receipt of the erase</dt><dd><code>${eraseJobId}</code></dd>
        </dl>
        <small>Both receipts are available for seven days.</small>
      </details>`;
    return renderPage(
      c,
      { title: `Disconnect ${name}`, pollSeconds: isRunning && 2 },
      html`${ui.backLink()} ${ui.message(html`<bdi>${name}</bdi>`, content, provider)}`,
    );
  });

  return routes;
}

/** A job of the receipt; undefined once the service has deleted it. */
type ReceiptJob = SyncJob | undefined;
const DELETED = 'This receipt is more than seven days old and was deleted.';

const getMood = (job: ReceiptJob): Mood =>
  ui.isJobRunning(job) ? 'wait' : job?.status === 'SUCCEEDED' ? 'good' : 'bad';

function describeRevoke(job: ReceiptJob): string {
  if (job === undefined) return DELETED;
  const error = describeJobError(job.errorCode);
  if (ui.isJobRunning(job)) {
    return job.nextRetryAt === null
      ? 'Revoking access…'
      : `${error} We retry for up to three days. The next try is at ${formatTime(job.nextRetryAt)}.`;
  }
  if (job.status !== 'SUCCEEDED') return `We could not revoke access. ${error}`;
  return job.creatorAction === null
    ? 'Access revoked.'
    : 'We deleted our copy. This platform offers no way to revoke access; remove the app there yourself.';
}

function describeErase(job: ReceiptJob): string {
  if (job === undefined) return DELETED;
  if (ui.isJobRunning(job)) return 'No longer readable. We erase the remaining data once access is revoked.';
  return job.status === 'SUCCEEDED' ? 'Erased.' : `Not erased yet. ${describeJobError(job.errorCode)}`;
}
