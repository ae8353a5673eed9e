import type { FC } from 'hono/jsx';
import type { SyncJob } from 'social-account-connection-client';
import { formatTime } from '../format.ts';
import type { Receipt } from '../storage.ts';
import { describeJobError, type Mood, PROVIDERS } from '../texts.ts';
import { ActionForm, DateTime, isJobRunning, ProviderBadge, RefreshLink, RemoveAppNote } from './components.tsx';

/** Explains the effects of a disconnect and asks for confirmation. */
export const ConfirmDisconnect: FC<{ connectionId: string; name: string; provider: Receipt['provider'] }> = (props) => (
  <section class="card narrow">
    <ProviderBadge provider={props.provider} />
    <h1>
      Disconnect <bdi>{props.name}</bdi>?
    </h1>
    <ul class="plain">
      <li>We stop reading the account at once.</li>
      <li>We revoke our access at {PROVIDERS[props.provider].name}. If only you can revoke it, we tell you how.</li>
      <li>We erase its profile, posts and metrics.</li>
    </ul>
    <p class="soft">You can connect the account again later. We then read its posts again.</p>
    <div class="row">
      <ActionForm action={`/connections/${props.connectionId}/disconnect`} label="Disconnect" kind="danger" />
      <a class="button" href={`/connections/${props.connectionId}`}>
        Keep connected
      </a>
    </div>
  </section>
);

/** A job of the receipt; undefined once the service has deleted it. */
type ReceiptJob = SyncJob | undefined;

export const areJobsSettled = (...jobs: readonly ReceiptJob[]): boolean => !jobs.some(isJobRunning);

/** The status of the revoke and the erase. */
export const ReceiptPage: FC<{
  receipt: Receipt;
  revoke: ReceiptJob;
  erase: ReceiptJob;
  appsUrl: string | undefined;
}> = ({ receipt, revoke, erase, appsUrl }) => (
  <>
    <p class="back">
      <a href="/">← Your accounts</a>
    </p>
    <section class="card narrow">
      <ProviderBadge provider={receipt.provider} />
      <h1>
        <bdi>{receipt.name}</bdi>
      </h1>
      <div id="receipts" data-live="" aria-live="polite">
        <p class="soft">{areJobsSettled(revoke, erase) ? 'Disconnected.' : 'Disconnecting…'}</p>
        <ol class="steps">
          <Step mood="good" title="Access stopped">
            <DateTime instant={receipt.at} />
          </Step>
          <Step mood={getMood(revoke)} title={`Access at ${PROVIDERS[receipt.provider].name}`}>
            {describeRevoke(revoke)}
          </Step>
          <Step mood={getMood(erase)} title="Profile, posts and metrics">
            {describeErase(erase)}
          </Step>
        </ol>
        {revoke !== undefined && revoke.creatorAction !== null && (
          <RemoveAppNote provider={receipt.provider} appsUrl={appsUrl} />
        )}
        {!areJobsSettled(revoke, erase) && (
          <p class="soft small">
            You can leave this page; the work continues. <RefreshLink />
          </p>
        )}
      </div>
      <details>
        <summary>For your records</summary>
        <dl class="records">
          <dt>Receipt of the revoke</dt>
          <dd>
            <code>{receipt.revokeJobId}</code>
          </dd>
          <dt>Receipt of the erase</dt>
          <dd>
            <code>{receipt.eraseJobId}</code>
          </dd>
        </dl>
        <p class="soft small">Both receipts are available for seven days.</p>
      </details>
    </section>
  </>
);

const Step: FC<{ mood: Mood; title: string; children?: unknown }> = ({ mood, title, children }) => (
  <li class={mood}>
    <strong>{title}</strong>
    <span>{children}</span>
  </li>
);

function getMood(job: ReceiptJob): Mood {
  if (isJobRunning(job)) return 'wait';
  return job?.status === 'SUCCEEDED' ? 'good' : 'bad';
}

function describeRevoke(job: ReceiptJob): string {
  if (job === undefined) return 'This receipt is more than seven days old and was deleted.';
  switch (job.status) {
    case 'SUCCEEDED':
      return job.creatorAction === null
        ? 'Access revoked.'
        : 'We deleted our copy. This platform offers no way to revoke access; remove the app there yourself.';
    case 'FAILED':
    case 'CANCELED':
      return `We could not revoke access. ${describeJobError(job.errorCode)}`;
    default:
      return job.nextRetryAt === null
        ? 'Revoking access…'
        : `${describeJobError(job.errorCode)} We retry for up to three days. The next try is at ${formatTime(job.nextRetryAt)}.`;
  }
}

function describeErase(job: ReceiptJob): string {
  if (job === undefined) return 'This receipt is more than seven days old and was deleted.';
  switch (job.status) {
    case 'SUCCEEDED':
      return 'Erased.';
    case 'FAILED':
    case 'CANCELED':
      return `Not erased yet. ${describeJobError(job.errorCode)}`;
    default:
      return 'No longer readable. We erase the remaining data once access is revoked.';
  }
}
