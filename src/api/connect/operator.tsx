import type { PageLanguage } from '../../basics/codes.ts';
import type { ApiConfig } from '../../config/config.ts';
import { fillText, PAGE_TEXTS } from './page-texts.ts';

/** Who operates the service, as every page shows it. Each part is optional. */
export interface Operator {
  readonly name: string | undefined;
  /** A URL, or a mail address. */
  readonly contact: string | undefined;
  readonly privacyUrl: string | undefined;
  readonly termsUrl: string | undefined;
}

export const NO_OPERATOR: Operator = {
  name: undefined,
  contact: undefined,
  privacyUrl: undefined,
  termsUrl: undefined,
};

export const readOperator = (config: ApiConfig): Operator => ({
  name: config.OPERATOR_NAME,
  contact: config.OPERATOR_CONTACT,
  privacyUrl: config.OPERATOR_PRIVACY_URL,
  termsUrl: config.OPERATOR_TERMS_URL,
});

/** A document of a platform that its terms require on our pages. */
export interface PlatformTerms {
  readonly name: string;
  readonly url: string;
}

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
