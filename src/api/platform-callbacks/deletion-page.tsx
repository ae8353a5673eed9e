import type { PageLanguage } from '../../basics/codes.ts';
import type { DeletionRequest } from '../../store/erasures/platform-callbacks.ts';
import { renderLayout } from '../connect/layout.tsx';
import { fillText, PAGE_TEXTS } from '../connect/page-texts.ts';

type Request = DeletionRequest & { readonly code: string };

/** Renders the state of a person's deletion request. The page does not identify the person. */
export function renderDeletionPage(request: Request | undefined, language: PageLanguage): string {
  const { about, unknown, checkAddress, ...texts } = PAGE_TEXTS[language].deletion;
  if (request === undefined) {
    return renderLayout({ language, about, mood: 'lost', heading: unknown, children: <p>{checkAddress}</p> });
  }
  const { met, requestedAt, code } = request;
  return renderLayout({
    language,
    about,
    mood: met ? 'done' : 'wait',
    heading: met ? texts.done : texts.running,
    children: (
      <>
        <p>{fillText(texts.received, { date: formatDay(requestedAt, language) })}</p>
        <p>{met ? texts.afterwards : texts.meanwhile}</p>
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
