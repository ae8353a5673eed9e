import type { ApiConfig } from '../../config/config.ts';

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
