import { type Consents, redirectBack } from './consents.tsx';
import { type EndpointCall, type Params, type SandboxApp, serveEndpoint } from './endpoint.ts';
import type { CodeDetails } from './grants.ts';
import type { Platform, SandboxAccount, SandboxClient } from './model.ts';
import { createDeadEnd } from './pages/layout.tsx';
import { isRegisteredRedirectUri } from './redirect-uris.ts';
import type { World } from './world.ts';

type Fields = Readonly<Record<string, string>>;

/** A platform's authorization endpoint (RFC 6749, section 4.1.1): its own rules. */
export interface Authorize {
  readonly platform: Platform;
  readonly path: string;
  readonly consentPath: string;
  /** Parameters beside `response_type`, `redirect_uri`, `scope` and that of the client. */
  readonly query: Params;
  readonly clientParam: 'client_id' | 'client_key';
  readonly maxRedirectUriLength?: number;
  readonly scopes: Readonly<Record<string, { readonly label: string; readonly isRequired?: true }>>;
  readonly separator: string | RegExp;
  /** The platform's own page for an invalid request. */
  readonly refusal: { readonly title: string; readonly text: string };
  readonly violations: { readonly client: string; readonly redirectUri: string; readonly scope: string };
  /** Checks more of the request. @returns the response that ends it; undefined if it may continue */
  readonly check?: (call: EndpointCall, asked: readonly string[], stop: Stop) => Response | undefined;
  /** Ends on a page of the platform though the person allowed access. @returns undefined otherwise */
  readonly detain?: (account: SandboxAccount, granted: readonly string[]) => Response | undefined;
  readonly code: {
    readonly prefix: string;
    readonly seconds: number;
    readonly describe: (call: EndpointCall, account: SandboxAccount, client: SandboxClient) => Partial<CodeDetails>;
  };
  /** The parameters of the response, and the rest of its URL. */
  readonly allowed: (call: EndpointCall, code: string, granted: readonly string[]) => Fields;
  readonly denied: (call: EndpointCall) => Fields;
  readonly suffix?: string;
}

type Stop = (violation: string) => Response;

/** Serves a platform's authorization endpoint and its consent page. Invalid requests end on the platform's own page. */
export function serveAuthorize(app: SandboxApp, world: World, consents: Consents, spec: Authorize): void {
  const { platform, path, consentPath, clientParam, scopes, violations } = spec;
  const refuse = (_call: EndpointCall, violation: string) =>
    createDeadEnd(platform, spec.refusal.title, `${spec.refusal.text}${violation}.`);

  serveEndpoint(app, world, {
    provider: platform,
    route: 'authorize',
    method: 'GET',
    path,
    query: {
      [clientParam]: { required: true },
      redirect_uri: { required: true },
      response_type: { required: true, is: ['code'] },
      scope: { required: true },
      ...spec.query,
    },
    refuse,
    createFailure: (failure) =>
      createDeadEnd(platform, 'Try again later', 'The sandbox was asked to fail.', failure === 'quota' ? 429 : failure),
    handle: (call) => {
      const stop: Stop = (violation) => {
        call.violate(violation);
        return refuse(call, violation);
      };
      const { redirect_uri: redirectUri = '', scope = '' } = call.query;
      const client = world.findClient(platform, call.query[clientParam] ?? '');
      if (client === undefined) return stop(violations.client);
      const isTooLong = redirectUri.length > (spec.maxRedirectUriLength ?? Number.POSITIVE_INFINITY);
      if (isTooLong || !isRegisteredRedirectUri(redirectUri, client.redirectUris, '/api/connect/callback/')) {
        return stop(violations.redirectUri);
      }
      const asked = scope.split(spec.separator);
      const unknown = asked.find((name) => scopes[name] === undefined);
      if (unknown !== undefined) return stop(`${violations.scope} ${unknown}`);
      const end = spec.check?.(call, asked, stop);
      if (end !== undefined) return end;

      const permissions = asked.map((name) => ({ name, label: name, isRequired: false, ...scopes[name] }));
      const allow = (account: SandboxAccount, granted: readonly string[]) => {
        const page = spec.detain?.(account, granted);
        if (page !== undefined) return page;
        const plain = { redirectUri, codeChallenge: null, challengeMethod: null, withRefreshToken: true };
        const details = { ...plain, ...spec.code.describe(call, account, client) };
        const grant = world.grants.open(client, account, granted);
        const { value } = world.grants.issueCode(grant, spec.code.prefix, spec.code.seconds, details);
        return redirectBack(redirectUri, spec.allowed(call, value, granted), spec.suffix);
      };
      const deny = () => redirectBack(redirectUri, spec.denied(call));
      return consents.ask({ platform, client, permissions, allow, deny }, consentPath);
    },
  });
  consents.serve(app, consentPath, platform);
}

/** The client's `state`, returned unchanged. */
export const echoState = ({ query: { state } }: EndpointCall): Fields => (state === undefined ? {} : { state });
