import type { FC } from 'hono/jsx';
import { formatTime } from '../format.ts';
import type { JobFragment } from '../generated/service.ts';
import type { Receipt } from '../storage.ts';
import { describeJobError, type Mood, PROVIDERS } from '../texts.ts';
import { ActionForm, DateTime, ProviderBadge, RefreshLink, RemoveAppNote } from './components.tsx';

/** Asks once more, and says what will happen. */
export const ConfirmDisconnect: FC<{ connectionId: string; name: string; provider: Receipt['provider'] }> = (props) => (
  <section class="card narrow">
    <ProviderBadge provider={props.provider} />
    <h1>
      Disconnect <bdi>{props.name}</bdi>?
    </h1>
    <ul class="plain">
      <li>We stop reading it at once.</li>
      <li>We end the permission at {PROVIDERS[props.provider].name}, or tell you how to where only you canRead.</li>
      <li>We erase its profile, posts and numbers.</li>
    </ul>
    <p class="soft">You can connect it again later; then everything is read anew.</p>
    <div class="row">
      <ActionForm action={`/connections/${props.connectionId}/disconnect`} label="Disconnect" kind="danger" />
      <a class="button" href={`/connections/${props.connectionId}`}>
        Keep it
      </a>
    </div>
  </section>
);

/** A job as the receipt says it; undefined once it is no longer kept. */
type ReceiptJob = JobFragment | undefined;

const isJobSettled = (job: ReceiptJob) => job?.status !== 'QUEUED' && job?.status !== 'RUNNING';

export const areJobsSettled = (...jobs: readonly ReceiptJob[]): boolean => jobs.every(isJobSettled);

/** What has become of the permission and of the data. */
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
        <p class="soft">{areJobsSettled(revoke, erase) ? 'Disconnected.' : 'Being disconnected.'}</p>
        <ol class="steps">
          <Step mood="good" title="Access stopped">
            <DateTime instant={receipt.at} />
          </Step>
          <Step mood={getMood(revoke)} title={`Permission at ${PROVIDERS[receipt.provider].name}`}>
            {describeRevoke(revoke)}
          </Step>
          <Step mood={getMood(erase)} title="Profile, posts and numbers">
            {describeErase(erase)}
          </Step>
        </ol>
        {revoke !== undefined && revoke.creatorAction !== null && (
          <RemoveAppNote provider={receipt.provider} appsUrl={appsUrl} />
        )}
        {!areJobsSettled(revoke, erase) && (
          <p class="soft small">
            You can leave this page; it goes on by itself. <RefreshLink />
          </p>
        )}
      </div>
      <details>
        <summary>For your records</summary>
        <dl class="records">
          <dt>Receipt of the permission</dt>
          <dd>
            <code>{receipt.revokeJobId}</code>
          </dd>
          <dt>Receipt of the erasure</dt>
          <dd>
            <code>{receipt.eraseJobId}</code>
          </dd>
        </dl>
        <p class="soft small">Both can be read for seven days.</p>
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
  if (!isJobSettled(job)) return 'wait';
  return job?.status === 'SUCCEEDED' ? 'good' : 'bad';
}

function describeRevoke(job: ReceiptJob): string {
  if (job === undefined) return 'This receipt is over seven days old and no longer kept.';
  switch (job.status) {
    case 'SUCCEEDED':
      return job.creatorAction === null
        ? 'Given back.'
        : 'Let go of by us. The provider has no way for us to end it there.';
    case 'FAILED':
    case 'CANCELED':
      return `We could not give it back. ${describeJobError(job.errorCode)}`;
    default:
      return job.nextRetryAt === null
        ? 'Being given back…'
        : `${describeJobError(job.errorCode)} We try again, for up to three days. The next try is at ${formatTime(job.nextRetryAt)}.`;
  }
}

function describeErase(job: ReceiptJob): string {
  if (job === undefined) return 'This receipt is over seven days old and no longer kept.';
  switch (job.status) {
    case 'SUCCEEDED':
      return 'Erased.';
    case 'FAILED':
    case 'CANCELED':
      return `Not erased yet. ${describeJobError(job.errorCode)}`;
    default:
      return 'Already out of reach. The last of it is erased once the permission has been given back.';
  }
}
