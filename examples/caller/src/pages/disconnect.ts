import { html } from 'hono/html';
import { ServiceError, type SocialProvider, type SyncJob } from 'social-account-connection-client';
import * as ui from '../components.ts';
import * as context from '../context.ts';
import { formatTime } from '../format.ts';
import { renderPage } from '../layout.ts';
import { findReceipt } from '../storage.ts';
import { describeJobError, getAccountName, type Mood, PROVIDERS } from '../texts.ts';

const PATH = '/connections/:id/disconnect';

export function disconnectRoutes({ config, service, storage }: context.Studio) {
  const routes = context.newRoutes();

  routes.get(PATH, async (c) => {
    const { path } = context.requireAccount(c);
    const { name, provider } = await describeAccount(c);
    const appsUrl = config[`${provider}_APPS_URL`];
    const { name: platform, removal, canRevoke } = PROVIDERS[provider];
    const content = html`<ul>
        <li>We stop reading the account at once.</li>
        <li>
          ${canRevoke ? `We revoke our access at ${platform}.` : `Only you can end our access at ${platform}: remove Demo Studio there.`}
        </li>
        <li>We erase its profile, posts and metrics within seven days.</li>
        <li>This deletes nothing at ${platform}.</li>
      </ul>
      <p class="soft">
        ${canRevoke ? 'You can also remove' : 'You remove'} Demo Studio in ${removal}.
        ${appsUrl && ui.externalLink(appsUrl, `Open the settings at ${platform}`)}
      </p>
      <p class="soft">You can connect the account again later. We then read its posts again.</p>
      <div class="row">
        ${ui.actionForm(`${path}/disconnect`, 'Disconnect', { kind: 'danger' })}
        ${ui.linkButton(path, 'Keep connected')}
      </div>`;
    const title = html`Disconnect <bdi>${name}</bdi>?`;
    return renderPage(c, { title: `Disconnect ${name}` }, ui.message(title, content, provider));
  });

  routes.post(PATH, async (c) => {
    const { user, key, connectionId } = context.requireAccount(c);
    const described = await describeAccount(c);
    // A repeated request returns the same two jobs.
    const { revokeJobId, eraseJobId } = await service.disconnectConnection(key);
    storage.saveReceipt(user, { connectionId, ...described, revokeJobId, eraseJobId, at: new Date().toISOString() });
    return c.redirect(`/receipts/${connectionId}`, 303);
  });

  /** Names the account. If the service does not return it, the name is that of its provider, so it can still be disconnected. */
  async function describeAccount(c: context.StudioContext) {
    const { scope, known, connectionId: id } = context.requireAccount(c);
    const answer = await context.catchRefusal(service.connection({ scope, id }));
    if (!(answer instanceof ServiceError)) return { name: getAccountName(answer, known), provider: answer.provider };
    if (known === undefined || answer.code === 'NOT_FOUND') throw answer;
    return { name: getAccountName({ ...known, profile: null }, known), provider: known.provider };
  }

  async function readReceipt(c: context.StudioContext) {
    const { user, key, connectionId } = context.requireAccount(c);
    const receipt = findReceipt(user, connectionId);
    if (receipt === undefined) throw new ServiceError('NOT_FOUND', 'Receipt not found.');
    // The service deletes receipts after seven days.
    const read = async (id: string | undefined) =>
      id === undefined ? 'not known' : await context.unlessRefused(service.syncJob({ ...key, id }), 'NOT_FOUND');
    const [revoke, erase] = await Promise.all([read(receipt.revokeJobId), read(receipt.eraseJobId)]);
    return { ...receipt, revoke, erase };
  }

  routes.get('/receipts/:id/text', async (c) => {
    const { connectionId, provider, name, at, revoke, erase, revokeJobId, eraseJobId } = await readReceipt(c);
    const lines = [
      `Disconnect of ${name} at ${PROVIDERS[provider].name}`,
      `As of ${new Date().toISOString()}`,
      '',
      `Access stopped: ${at}`,
      `Access at ${PROVIDERS[provider].name}: ${describeRevoke(revoke, provider)}`,
      `Profile, posts and metrics: ${describeErase(erase, provider)}`,
      '',
      `Connection: ${connectionId}`,
      `Receipt of the revoke: ${revokeJobId ?? 'not known yet'}`,
      `Receipt of the erase: ${eraseJobId ?? 'not known yet'}`,
    ];
    c.header('content-disposition', 'attachment; filename="receipt.txt"');
    return c.text(`${lines.join('\n')}\n`);
  });

  routes.get('/receipts/:id', async (c) => {
    const { connectionId, provider, name, at, revoke, erase, revokeJobId, eraseJobId } = await readReceipt(c);
    const isRunning = isOpen(revoke) || isOpen(erase);
    const { name: platform } = PROVIDERS[provider];
    const isLeft = isSettled(revoke) && revoke.creatorAction !== null;
    const end = isLeft
      ? `We have stopped reading the account. One step is left for you at ${platform}.`
      : 'Disconnected.';
    const steps = html`<p class="soft">${isRunning ? 'Disconnecting…' : end}</p>
      <ol class="steps">
        ${step('good', 'Access stopped', ui.dateTime(at))}
        ${step(isLeft ? 'wait' : getMood(revoke), `Access at ${platform}`, describeRevoke(revoke, provider))}
        ${step(getMood(erase), 'Profile, posts and metrics', describeErase(erase, provider))}
      </ol>
      ${isLeft && ui.removeAppNote(provider, config[`${provider}_APPS_URL`])}
      ${isRunning && html`<small>You can leave this page; the work continues. ${ui.refreshLink}</small>`}`;
    const content = html`${ui.live('receipts', steps, 'polite')}
      <details>
        <summary>For your records</summary>
        <dl>
          <dt>Receipt of the revoke</dt><dd><code>${revokeJobId ?? 'not known yet'}</code></dd>
          <dt>Receipt of the erase</dt><dd><code>${eraseJobId ?? 'not known yet'}</code></dd>
        </dl>
        <p>${ui.linkButton(`/receipts/${connectionId}/text`, 'Save as text')}</p>
        <small>Both receipts are available for seven days.</small>
      </details>`;
    const body = html`${ui.backLink()} ${ui.message(html`<bdi>${name}</bdi>`, content, provider)}`;
    return renderPage(
      c,
      { title: `${isRunning ? 'Disconnecting' : 'Disconnected'} ${name}`, pollSeconds: isRunning && 2 },
      body,
    );
  });

  return routes;
}

const step = (mood: Mood, title: string, text: ui.Html) =>
  html`<li class="${mood}"><strong>${title}</strong> <span>${text}</span></li>`;

const DELETED = 'This receipt is more than seven days old and was deleted.';

/** A job of a disconnect: undefined if the service has deleted it, and not known until its webhook arrives. */
type Job = SyncJob | 'not known' | undefined;

const isSettled = (job: Job): job is SyncJob => job !== 'not known' && job !== undefined && !ui.isJobRunning(job);
const isOpen = (job: Job): boolean => job === 'not known' || ui.isJobRunning(job);

const getMood = (job: Job): Mood =>
  isOpen(job) ? 'wait' : isSettled(job) && job.status === 'SUCCEEDED' ? 'good' : 'bad';

function describeRevoke(job: Job, provider: SocialProvider): string {
  if (job === undefined) return DELETED;
  if (job === 'not known') return 'Revoking access…';
  const { errorCode, nextRetryAt: at, creatorAction } = job;
  const error = describeJobError(errorCode, provider);
  if (ui.isJobRunning(job)) {
    return at ? `${error} We retry for up to three days. The next try is at ${formatTime(at)}.` : 'Revoking access…';
  }
  if (job.status !== 'SUCCEEDED') return `We could not revoke access. ${error}`;
  return creatorAction === null
    ? 'Access revoked.'
    : 'Not ended yet. We deleted our tokens. Only you can end the access, as below.';
}

function describeErase(job: Job, provider: SocialProvider): string {
  if (job === undefined) return DELETED;
  if (job === 'not known' || ui.isJobRunning(job))
    return 'No longer readable. We erase the remaining data once access is revoked.';
  return job.status === 'SUCCEEDED' ? 'Erased.' : `Not erased yet. ${describeJobError(job.errorCode, provider)}`;
}
