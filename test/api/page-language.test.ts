import { describe, expect, test } from 'vitest';
import { choosePageLanguage } from '../../src/api/connect/page-language.ts';
import { fillText, PAGE_TEXTS } from '../../src/api/connect/page-texts.ts';
import { renderDeletionPage } from '../../src/api/platform-callbacks/deletion-page.tsx';
import { PAGE_LANGUAGES } from '../../src/basics/codes.ts';

/** Every text of a language, by the path of its key. */
function listTexts(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]): [string, string][] =>
    typeof inner === 'string' ? [[`${path}${key}`, inner]] : listTexts(inner, `${path}${key}.`),
  );
}

const placeholdersOf = (text: string) => (text.match(/\{\w*\}/g) ?? []).sort();

describe.each(PAGE_LANGUAGES)('the texts in %s', (language) => {
  const texts = listTexts(PAGE_TEXTS[language]);

  test('have the same keys as the others: none is missing, none is left over', () => {
    expect(texts.map(([key]) => key)).toEqual(listTexts(PAGE_TEXTS.en).map(([key]) => key));
    expect(texts.length).toBeGreaterThan(60);
  });

  test('have the placeholders of the English ones, and are not empty', () => {
    const english = new Map(listTexts(PAGE_TEXTS.en));
    for (const [key, text] of texts) {
      expect(placeholdersOf(text), key).toEqual(placeholdersOf(english.get(key) ?? ''));
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toBe('');
      if (language !== 'en') expect(text, key).not.toBe(english.get(key));
    }
  });
});

test('the language is the known one that the browser prefers, or English', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'en'],
    ['*', 'en'],
    ['DE-ch', 'de'],
    ['ja, es;q=0.7, en;q=0.6', 'es'],
    ['en;q=0.5, pt-PT;q=0.9', 'pt-BR'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['english', 'en'],
    ['constructor;q=1, __proto__', 'en'],
  ];
  for (const [header, language] of cases) expect(choosePageLanguage(header), header).toBe(language);
});

test('an app’s name is never read for placeholders', () => {
  expect(fillText('{app}: {nothing}', { app: '{nothing}$&', nothing: 'None.' })).toBe('{nothing}$&: None.');
});

test.each(PAGE_LANGUAGES)('the page of a deletion request states the truth in %s', (language) => {
  const { deletion, operator: words } = PAGE_TEXTS[language];
  const operator = {
    name: 'Harbour & Sons Ltd',
    contact: 'privacy@harbour.example',
    privacyUrl: 'https://harbour.example/privacy',
    termsUrl: 'https://harbour.example/terms',
  };
  const done = { met: true, requestedAt: new Date(0), code: 'c0de', foundCount: 2, sparedNewer: false };
  const show = (changes: Partial<typeof done>) => renderDeletionPage({ ...done, ...changes }, language, operator);
  /** Which of its sentences a page has. */
  const TRUTHS = ['afterwards', 'meanwhile', 'nothingFound', 'spared', 'kept', 'copies'] as const;
  const truths = (html: string) => TRUTHS.filter((name) => html.includes(deletion[name]));
  expect(truths(show({}))).toEqual(['afterwards', 'kept', 'copies']);
  expect(truths(show({ met: false }))).toEqual(['meanwhile']);
  expect(truths(show({ foundCount: 0 }))).toEqual(['nothingFound', 'kept']);
  expect(truths(show({ sparedNewer: true }))).toEqual(['afterwards', 'spared', 'kept', 'copies']);
  // An account that was connected before the request arrived: not "no account was connected".
  expect(truths(show({ foundCount: 0, sparedNewer: true }))).toEqual(['spared', 'kept']);
  expect(renderDeletionPage(undefined, language, operator)).toContain(deletion.unknown);
  for (const html of [show({}), show({ foundCount: 0 }), renderDeletionPage(undefined, language, operator)]) {
    expect(html).toContain('Harbour &amp; Sons Ltd');
    expect(html).toContain('privacy@harbour.example');
    expect(html).toContain('href="https://harbour.example/privacy"');
    expect(html).toContain(words.privacy);
  }
  // Each language has its own sentence for each.
  const others = PAGE_LANGUAGES.filter((other) => other !== language).map((other) => PAGE_TEXTS[other].deletion);
  for (const name of TRUTHS) expect(others.map((texts) => texts[name])).not.toContain(deletion[name]);
});
