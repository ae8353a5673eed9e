import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { isFinished, type ServiceError, type SocialProvider, type SyncJob } from 'social-account-connection-client';
import { formatDateTime, formatTime } from './format.ts';
import type { Notice } from './sessions.ts';
import { describeJobError, describeRefusal, ERRORS, type Mark, PROVIDERS } from './texts.ts';

/** Escaped HTML; `false`, `null` and `undefined` show nothing. */
export type Html = ReturnType<typeof html> | HtmlEscapedString | string | false | null | undefined;

/** Refreshes the page by hand, also without scripts. */
export const refreshLink = html`<a href="">Refresh</a>`;

export const list = (kind: string, items: readonly Html[]) =>
  html`<ul class="${kind}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** A part of the page that the script replaces when it changes. */
export const live = (id: string, content: Html | Html[], politeness: 'polite' | 'off' = 'off') =>
  html`<div id="${id}" data-live aria-live="${politeness}">${content}</div>`;

export const callout = (kind: string, text: Html, more?: Html) =>
  html`<div class="callout ${kind}"><p>${text}</p>${more}</div>`;

export const noticeBar = ({ mood, text, link, reference: id }: Notice) => {
  const next = link && html`<a href="${link.href}">${link.text}</a>`;
  return html`<div role="status">${callout(mood, html`${text} ${next}`, reference(id))}</div>`;
};

/** The correlation id to quote in a support request. */
export const reference = (id: string | undefined): Html =>
  id && html`<p><small>If you contact us about this, quote this reference: <code>${id}</code></small></p>`;

export const pill = ({ mood, name }: Mark) => html`<span class="pill ${mood}">${name}</span>`;
export const badge = (provider: SocialProvider) =>
  html`<span class="badge ${provider}" aria-hidden="true">${PROVIDERS[provider].name.charAt(0)}</span>`;

/** Where data comes from, beside it: the platform's name, and its mark if one is set. */
export const mark = (provider: SocialProvider) =>
  html`<span class="mark ${provider}">${PROVIDERS[provider].name}</span>`;

/** The consent above each button that connects. @param providers those that they can connect there */
export const consent = (providers: readonly SocialProvider[]) => {
  const youTube = html` and to the <a href="https://www.youtube.com/t/terms">YouTube Terms of Service</a>`;
  const google = html` See also the <a href="https://policies.google.com/privacy">Google Privacy Policy</a>.`;
  const hasYouTube = providers.includes('PROVIDER_A');
  return html`<p class="soft">
    Demo Studio reads the profile, the posts and their counts, to show them to you.
    ${hasYouTube && 'It uses YouTube API Services.'} By connecting you agree to our
    <a href="/privacy">Privacy policy</a>, our <a href="/terms">Terms</a>${hasYouTube && youTube}. You can disconnect here at
    any time.${hasYouTube && google}
  </p>`;
};

/** An attribute for the chosen one of several links. */
export const current = (isCurrent: boolean): Html => isCurrent && html`aria-current="true"`;

export const image = (url: string | null | undefined, loading: 'eager' | 'lazy' = 'eager'): Html =>
  url && html`<img src="${url}" alt="" referrerpolicy="no-referrer" loading="${loading}" />`;

/** A provider's image may expire; the letter behind it stays. */
export const avatar = (url: string | null | undefined, name: string) =>
  html`<span class="avatar" aria-hidden="true">${[...name][0] ?? '?'}${image(url)}</span>`;

export const dateTime = (instant: string) => html`<time datetime="${instant}">${formatDateTime(instant)}</time>`;
export const backLink = (href = '/', to = 'Your accounts') => html`<p class="back"><a href="${href}">← ${to}</a></p>`;
export const linkButton = (href: string, text: string, kind: 'main' | 'danger' | '' = '') =>
  html`<a class="button ${kind}" href="${href}">${text}</a>`;

type FormOptions = { kind?: 'main' | 'danger' | ''; about?: string; days?: number };

/** A form with one button. `about` is its full name for screen readers and starts with the label. */
export const actionForm = (action: string, label: string, { kind = '', about = label, days }: FormOptions = {}) =>
  html`<form method="post" action="${action}">
    ${days && html`<input type="hidden" name="days" value="${days}" />`}
    <button type="submit" class="${kind}" aria-label="${about}">${label}</button>
  </form>`;

const bar = html`<progress aria-hidden="true"></progress>
  <small>This page updates automatically. ${refreshLink}</small>`;
export const progress = (text: Html) => callout('progress', text, bar);

/** Whether a job is unfinished. The service no longer has a job that is undefined. */
export const isJobRunning = (job: SyncJob | undefined): boolean => job !== undefined && !isFinished(job);

export const jobProgress = (
  { status, errorCode, nextRetryAt }: SyncJob,
  label: string,
  provider: SocialProvider | undefined,
) =>
  progress(html`
    ${status === 'QUEUED' ? `${label}: waiting to start.` : `${label}…`}
    ${nextRetryAt && `${describeJobError(errorCode, provider)} The next try is at ${formatTime(nextRetryAt)}.`}`);

export const refusalNote = (error: ServiceError) => {
  const text = html`<strong>${ERRORS[error.code].title}.</strong> ${describeRefusal(error)}`;
  return callout('bad', text, reference(error.correlationId));
};

/**
 * Asks the person to remove the app at the platform, which only they can do. A removal also ends the connection of a new try, so a
 * page that offers one asks for one of the two.
 */
export const removeAppNote = (provider: SocialProvider, appsUrl: string | undefined, canTryAgain = false) =>
  callout(
    'wait',
    html`<strong>${canTryAgain ? 'If you do not want to try again' : 'One step left for you'}.</strong> Our access to your
      account at ${PROVIDERS[provider].name} may still be listed there. Remove it in ${PROVIDERS[provider].removal}.`,
    appsUrl && externalLink(appsUrl, `Open the settings at ${PROVIDERS[provider].name}`),
  );

export const externalLink = (url: string, text: string) =>
  html`<a href="${url}" rel="noreferrer" target="_blank">${text} (new tab)</a>`;

export const message = (title: Html, content: Html | Html[], provider?: SocialProvider) =>
  html`<article class="narrow">${provider && badge(provider)}<h1>${title}</h1>${content}</article>`;
