import type { Browser, Page } from '../kit/browser.ts';

/** A person with an account at the server. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
  readonly groups: readonly string[];
}

const person = (username: string, givenName: string, familyName: string, groups: readonly string[]): Person => ({
  id: `id-of-${username}`,
  username,
  password: `password-of-${username}`,
  givenName,
  familyName,
  email: `${username}@people.example`,
  groups,
});

/** Two operators of different roles, a person whose group has none, and one without a group. */
export const ADA = person('ada', 'Ada', 'Byron', ['staff', 'support', 'sre']);
export const NOOR = person('noor', 'Noor', 'Haddad', ['support']);
export const KIT = person('kit', 'Kit', 'Marlowe', ['staff']);
export const LEE = person('lee', 'Lee', 'Orme', []);
export const PEOPLE = [ADA, NOOR, KIT, LEE];
/** The role of each group that has one. */
export const ROLES = { sre: 'OPERATOR', support: 'VIEWER' };

/** A client to register at the server. */
export interface ClientPlan {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly tokenAuthMethod: 'client_secret_basic' | 'client_secret_post';
  /** Settings of this client in the server's own terms. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A third-party OpenID server, with `PEOPLE`. */
export interface IssuerServer {
  /** Its issuer URL, exactly. */
  readonly issuer: string;
  /** The scopes besides `openid email profile` with which it returns a person's groups. */
  readonly groupScopes: string;
  addClient(plan: ClientPlan): Promise<void>;
  /**
   * Answers the server's pages as this person, beginning with the one that it showed for the authorization request.
   * @returns the page that the person ends at.
   */
  signIn(browser: Browser, page: Page, person: Person): Promise<Page>;
  /** Signs from now on with a key that did not exist before. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
}
