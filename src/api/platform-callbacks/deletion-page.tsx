import type { PageLanguage } from '../../basics/codes.ts';
import type { DeletionRequest } from '../../store/erasures/platform-callbacks.ts';
import { renderLayout } from '../connect/layout.tsx';
import { NO_OPERATOR, type Operator } from '../connect/operator.ts';
import { fillText, PAGE_TEXTS } from '../connect/page-texts.ts';

type Request = DeletionRequest & { readonly code: string };

/** Renders the state of a person's deletion request. The page does not identify the person. */
export function renderDeletionPage(
  request: Request | undefined,
  language: PageLanguage,
  operator: Operator = NO_OPERATOR,
): string {
  const { about, unknown, checkAddress, ...texts } = PAGE_TEXTS[language].deletion;
  if (request === undefined) {
    return renderLayout({ language, operator, about, mood: 'lost', heading: unknown, children: <p>{checkAddress}</p> });
  }
  const { met, requestedAt, code, foundCount, sparedNewer } = request;
  const isNothing = foundCount === 0;
  const heading = isNothing ? texts.nothing : met ? texts.done : texts.running;
  const explained = isNothing ? texts.nothingFound : met ? texts.afterwards : texts.meanwhile;
  return renderLayout({
    language,
    operator,
    about,
    mood: met ? 'done' : 'wait',
    heading,
    children: (
      <>
        <p>{fillText(texts.received, { date: formatDay(requestedAt, language) })}</p>
        {!(isNothing && sparedNewer) && <p>{explained}</p>}
        {sparedNewer && <p>{texts.spared}</p>}
        {met && <p>{texts.kept}</p>}
        {met && !isNothing && <p>{texts.copies}</p>}
        <p class="reference">
          {texts.code} <code>{code}</code>
        </p>
      </>
    ),
  });
}

/** In UTC, without a line break inside. */
function formatDay(instant: Date, language: PageLanguage): string {
  const locale = language === 'en' ? 'en-GB' : language;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
    .format(instant)
    .replaceAll(' ', '\u00a0');
}
