import type { PageLanguage } from '../../basics/codes.ts';
import type { CorrelationId } from '../../basics/ids.ts';
import { type Look, renderLayout } from './layout.tsx';
import type { Operator, PlatformTerms } from './operator.ts';
import { fillText, PAGE_TEXTS, REFUSAL_PAGES } from './page-texts.ts';
import type { Refusal } from './refused.ts';

export interface PageInput {
  readonly refusal: Refusal;
  readonly flow: 'connect' | 'identity';
  readonly language: PageLanguage;
  /** The app's name, the target of its button, and its look, if known. */
  readonly app: { readonly name: string; readonly backUrl: string; readonly look?: Look } | undefined;
  /** The URL that the browser opens at once. */
  readonly next?: string | undefined;
  readonly operator?: Operator | undefined;
  /** Documents of the platform that its terms require here. */
  readonly platforms?: readonly PlatformTerms[];
  /** The only id on the page. The person quotes it when they ask for help. */
  readonly correlationId: CorrelationId;
}

/** Isolates a name, so that its writing direction does not reorder the sentence around it. */
const isolate = (name: string) => `\u2068${name}\u2069`;

/**
 * The first 12 digits of the id, short enough to read out on the phone. "Find" in the console and a search of the log take them
 * as they are.
 */
const shortenReference = (id: CorrelationId) => id.slice(0, 13);

/** Renders the page of a refusal: the cause, the next step, and a link back to the app. */
export function renderPage({
  refusal,
  flow,
  language,
  app,
  next,
  operator,
  platforms = [],
  correlationId,
}: PageInput): string {
  const texts = PAGE_TEXTS[language];
  const { headline, nothing, doing } = texts[flow];
  const { title, what, todo } = texts.refusals[refusal];
  const values = { app: app ? isolate(app.name) : texts.unknownApp, nothing, doing };
  return renderLayout({
    language,
    title: app ? `${title} · ${isolate(app.name)}` : title,
    mood: REFUSAL_PAGES[refusal].mood,
    about: app ? `${headline} · ${isolate(app.name)}` : headline,
    heading: title,
    look: app?.look,
    next,
    ...(operator && { operator }),
    platforms,
    children: (
      <>
        <p>{fillText(what, values)}</p>
        <p>{fillText(todo, values)}</p>
        {app && (
          <a href={app.backUrl} target={refusal === 'framed' ? '_top' : undefined}>
            {fillText(texts.back, values)}
          </a>
        )}
        <p class="reference">
          {texts.reference} <code title={correlationId}>{shortenReference(correlationId)}</code>
        </p>
      </>
    ),
  });
}

/**
 * Renders the page that takes a browser on, without script. A redirect would do the same, but browsers apply the
 * `form-action` of the page with the launch form to every redirect behind it.
 */
export function renderOnwardPage(
  url: string,
  { language, app }: { language: PageLanguage; app: { readonly name: string; readonly look: Look } | undefined },
): string {
  const texts = PAGE_TEXTS[language];
  return renderLayout({
    language,
    mood: 'wait',
    about: app ? isolate(app.name) : texts.unknownApp,
    heading: texts.onward.title,
    look: app?.look,
    next: url,
    children: <a href={url}>{texts.onward.link}</a>,
  });
}
