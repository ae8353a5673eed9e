import type { PageLanguage } from '../../basics/codes.ts';
import type { Operator, PlatformTerms } from './operator.ts';
import { fillText, PAGE_TEXTS } from './page-texts.ts';

interface FooterInput {
  readonly operator: Operator;
  readonly language: PageLanguage;
  readonly platforms?: readonly PlatformTerms[];
}

/** The foot of a page. Empty without any of these settings. */
export function Footer({ operator: { name, contact, privacyUrl, termsUrl }, language, platforms = [] }: FooterInput) {
  const { operator: texts } = PAGE_TEXTS[language];
  const links = [
    { name: texts.contact, url: contact && (contact.startsWith('https://') ? contact : `mailto:${contact}`) },
    { name: texts.privacy, url: privacyUrl },
    { name: texts.terms, url: termsUrl },
    ...platforms,
  ].filter(({ url }) => url !== undefined);
  if (name === undefined && links.length === 0) return null;
  return (
    <footer>
      {name !== undefined && <p>{fillText(texts.by, { operator: `\u2068${name}\u2069` })}</p>}
      {links.length > 0 && (
        <ul>
          {links.map((link) => (
            <li>
              <a href={link.url}>{link.name}</a>
            </li>
          ))}
        </ul>
      )}
    </footer>
  );
}
