import { type Child, createContext, type FC, useContext } from 'hono/jsx';
import { isFinished, type ServiceError, type SocialProvider, type SyncJob } from 'social-account-connection-client';
import { formatDateTime, formatTime } from '../format.ts';
import type { Notice } from '../sessions.ts';
import { describeJobError, describeRefusal, ERRORS, type Mood, PROVIDERS } from '../texts.ts';

/** The URL of the current page. */
export const CurrentUrl = createContext('/');

/** Refreshes the page by hand, also without scripts. */
export const RefreshLink: FC = () => <a href={useContext(CurrentUrl)}>Refresh</a>;

export const NoticeBar: FC<{ notice: Notice }> = ({ notice }) => (
  <div class={`notice ${notice.mood}`} role="status">
    <p>
      {notice.text}
      {notice.link !== undefined && (
        <>
          {' '}
          <a href={notice.link.href}>{notice.link.text}</a>
        </>
      )}
    </p>
    <Reference id={notice.reference} />
  </div>
);

/** The correlation id to quote in a support request. */
export const Reference: FC<{ id: string | undefined }> = ({ id }) =>
  id === undefined ? null : (
    <p class="reference">
      If you contact us about this, quote this reference: <code>{id}</code>
    </p>
  );

export const Pill: FC<{ mood: Mood; children?: Child }> = ({ mood, children }) => (
  <span class={`pill ${mood}`}>{children}</span>
);

export const ProviderBadge: FC<{ provider: SocialProvider }> = ({ provider }) => (
  <span class={`badge ${provider}`} aria-hidden="true">
    {PROVIDERS[provider].name.charAt(0)}
  </span>
);

/** A provider's image may expire; the letter behind it stays. */
export const Avatar: FC<{ url: string | null | undefined; name: string }> = ({ url, name }) => (
  <span class="avatar" aria-hidden="true">
    <span>{[...name][0] ?? '?'}</span>
    {url ? <img src={url} alt="" referrerpolicy="no-referrer" width="72" height="72" /> : null}
  </span>
);

export const DateTime: FC<{ instant: string }> = ({ instant }) => (
  <time datetime={instant}>{formatDateTime(instant)}</time>
);

/** A form with one button. `about` is the full name for screen readers and starts with the label. */
export const ActionForm: FC<{
  action: string;
  label: string;
  about?: string;
  kind?: 'main' | 'plain' | 'danger';
  values?: Readonly<Record<string, string>>;
}> = ({ action, label, about, kind = 'plain', values = {} }) => (
  <form method="post" action={action} class="do">
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" class={kind} aria-label={about}>
      {label}
    </button>
  </form>
);

/** An indeterminate progress bar. */
export const Progress: FC<{ children?: Child }> = ({ children }) => (
  <div class="progress">
    <p>{children}</p>
    <span class="track" aria-hidden="true">
      <span></span>
    </span>
    <p class="by-hand">
      This page updates automatically. <RefreshLink />
    </p>
  </div>
);

/** Whether a job is unfinished. The service no longer has a job that is undefined. */
export const isJobRunning = (job: SyncJob | undefined): boolean => job !== undefined && !isFinished(job);

/** The status of a running job. */
export const JobProgress: FC<{ job: SyncJob; label: string }> = ({ job, label }) => (
  <Progress>
    {job.status === 'QUEUED' ? `${label}: waiting to start.` : `${label}…`}
    {job.nextRetryAt !== null && (
      <>
        {` ${describeJobError(job.errorCode)} The next try is at `}
        <time datetime={job.nextRetryAt}>{formatTime(job.nextRetryAt)}</time>.
      </>
    )}
  </Progress>
);

/** Shows why the service refused a part of the page. */
export const RefusalNote: FC<{ error: ServiceError; children?: Child }> = ({ error, children }) => (
  <div class="callout bad">
    <p>
      <strong>{ERRORS[error.code].title}.</strong> {describeRefusal(error)}
    </p>
    {children}
    <Reference id={error.correlationId} />
  </div>
);

/** Asks the person to remove the app at the provider, which only they can do. */
export const RemoveAppNote: FC<{ provider: SocialProvider; appsUrl: string | undefined }> = ({ provider, appsUrl }) => (
  <div class="callout wait">
    <p>
      <strong>One step left for you.</strong> Our access to your account at {PROVIDERS[provider].name} may still be
      listed there. Open the settings of that account, find the apps with access, and remove this one.
    </p>
    {appsUrl !== undefined && (
      <p>
        <a href={appsUrl} rel="noreferrer" target="_blank">
          Open the settings at {PROVIDERS[provider].name} (new tab)
        </a>
      </p>
    )}
  </div>
);

/** A page with a single message. */
export const Message: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <section class="card narrow">
    <h1>{title}</h1>
    {children}
  </section>
);
