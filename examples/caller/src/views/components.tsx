import { type Child, createContext, type FC, useContext } from 'hono/jsx';
import { formatDateTime, formatTime } from '../format.ts';
import type { JobFragment, SocialProvider } from '../generated/service.ts';
import type { ServiceError } from '../service.ts';
import type { Notice } from '../sessions.ts';
import { describeJobError, describeRefusal, ERRORS, type Mood, PROVIDERS } from '../texts.ts';

/** The address of the page being shown. */
export const CurrentUrl = createContext('/');

/** For whom scripts do not run, or who does not want to wait. */
export const RefreshLink: FC = () => <a href={useContext(CurrentUrl)}>Refresh</a>;

export const NoticeBar: FC<{ notice: Notice }> = ({ notice }) => (
  <div class={`notice ${notice.mood}`} role="status">
    <p>{notice.text}</p>
    <Reference id={notice.reference} />
  </div>
);

/** What to quote when asking for help. */
export const Reference: FC<{ id: string | undefined }> = ({ id }) =>
  id === undefined ? null : (
    <p class="reference">
      If you ask us about this, name <code>{id}</code>
    </p>
  );

export const Pill: FC<{ mood: Mood; children?: Child }> = ({ mood, children }) => (
  <span class={`pill ${mood}`}>{children}</span>
);

export const ProviderBadge: FC<{ provider: SocialProvider }> = ({ provider }) => (
  <span class={`badge ${provider}`} aria-hidden="true">
    {PROVIDERS[provider].slug.toUpperCase()}
  </span>
);

/** Pictures at a provider may expire; the letter behind stays. */
export const Avatar: FC<{ url: string | null | undefined; name: string }> = ({ url, name }) => (
  <span class="avatar" aria-hidden="true">
    <span>{[...name][0] ?? '?'}</span>
    {url ? <img src={url} alt="" referrerpolicy="no-referrer" width="72" height="72" /> : null}
  </span>
);

export const DateTime: FC<{ instant: string }> = ({ instant }) => (
  <time datetime={instant}>{formatDateTime(instant)}</time>
);

/** Something to do: a form with one button. `about` says it in full, and begins with the label. */
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

/** A bar that moves while nobody knows how long it will take. */
export const Progress: FC<{ children?: Child }> = ({ children }) => (
  <div class="progress">
    <p>{children}</p>
    <span class="track" aria-hidden="true">
      <span></span>
    </span>
    <p class="by-hand">
      This page keeps itself up to date. <RefreshLink />
    </p>
  </div>
);

/** How a job stands while it is not finished. */
export const JobProgress: FC<{ job: JobFragment; what: string }> = ({ job, what }) => (
  <Progress>
    {job.status === 'QUEUED' ? `${what}: waiting for its turn.` : `${what}…`}
    {job.nextRetryAt !== null && (
      <>
        {` ${describeJobError(job.errorCode)} The next try is at `}
        <time datetime={job.nextRetryAt}>{formatTime(job.nextRetryAt)}</time>.
      </>
    )}
  </Progress>
);

/** A refusal in the place of what it kept from us. */
export const RefusalNote: FC<{ error: ServiceError; children?: Child }> = ({ error, children }) => (
  <div class="callout bad">
    <p>
      <strong>{ERRORS[error.code].title}.</strong> {describeRefusal(error)}
    </p>
    {children}
    <Reference id={error.correlationId} />
  </div>
);

/** The one thing only the owner of an account can do. */
export const RemoveAppNote: FC<{ provider: SocialProvider; appsUrl: string | undefined }> = ({ provider, appsUrl }) => (
  <div class="callout wait">
    <p>
      <strong>One step is yours.</strong> The permission may still stand in your account at {PROVIDERS[provider].name}:
      we could not end it from here. Open the settings of that account, look for the apps that have access, and remove
      this one.
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
