/** A special case of a public integration, and its treatment here. */
export interface Finding {
  readonly about: 'YouTube' | 'TikTok' | 'Instagram' | 'OpenID Connect';
  readonly finding: string;
  readonly sources: string;
  /** The service's action, or the reason for none. */
  readonly outcome: string;
  /** Files below test. Empty for a matter of documentation. */
  readonly tests: readonly string[];
}

export const FINDINGS: readonly Finding[] = [
  {
    about: 'YouTube',
    finding: 'A deleted or disabled OAuth client answers `deleted_client` or `disabled_client`',
    sources: 'googleapis/google-api-nodejs-client 1256; r-lib/httr 687; msjit/testcasedb 22',
    outcome: 'The client is refused: the probe proves it, connects stop, the log and `integrationReadiness` show it',
    tests: ['providers/error-bodies.test.ts'],
  },
  {
    about: 'YouTube',
    finding: 'The consent page hangs for a Brand Account if `openid` is asked for; its `sub` can be its own',
    sources: 'gitroomhq/postiz-app 689; google/google-api-javascript-client 628; Joystream/atlas 3576',
    outcome:
      '`registration permissions` leaves `openid` out. Without it, the service knows no Google account and holds no sibling. Sandbox: `a.brandConsentHangs`, `a.brandSubject`',
    tests: ['providers/provider-a/contract.test.ts', 'api/admin/registrations.test.ts'],
  },
  {
    about: 'YouTube',
    finding: 'A used-up daily quota also comes as 429 `rateLimitExceeded`; its message or `quota_limit` names the day',
    sources: 'googleapis/google-api-python-client 2753; fqscfqj/Y2A-Auto 124',
    outcome: 'QuotaSpent until midnight Pacific time. Sandbox: `a.quotaAnswer`',
    tests: ['providers/error-bodies.test.ts', 'providers/provider-a/contract.test.ts'],
  },
  {
    about: 'YouTube',
    finding: 'A revoke answers `invalid_token` also for "Token is not revocable."',
    sources: 'aaronwmorris/indi-allsky 2201',
    outcome: 'The grant counts as ended only if a refresh is refused, too',
    tests: ['providers/provider-a/oauth.test.ts'],
  },
  {
    about: 'YouTube',
    finding: 'A policy refuses refreshes: `admin_policy_enforced`, `policy_enforced`, `access_denied`',
    sources: 'dust-tt/dust 31975; twentyhq/twenty 25148; closeio/sync-engine 1013',
    outcome: 'The grant ends, after the proof of any end. Sandbox: `a.refreshRefusal`',
    tests: ['providers/error-bodies.test.ts', 'providers/provider-a/contract.test.ts'],
  },
  {
    about: 'YouTube',
    finding: 'Supervised accounts and accounts without a delegation answer 403 `forbidden`',
    sources: 'anxdpanic/plugin.video.youtube 1034; tokland/youtube-upload 166',
    outcome: 'The account is unusable',
    tests: ['providers/error-bodies.test.ts'],
  },
  {
    about: 'YouTube',
    finding: 'An app that is not verified serves 100 people in the life of its project',
    sources: 'Google, Manage App Audience',
    outcome: 'In the checklist and in docs/providers.md',
    tests: [],
  },
  {
    about: 'YouTube',
    finding:
      'A suspended project hides behind `forbidden`: its details contain `CONSUMER_SUSPENDED` or `BILLING_DISABLED`',
    sources: 'googleapis/googleapis, google/api/error_reason.proto',
    outcome: 'Our own fault, so no account is called unusable; an alert. Sandbox: `a.projectSuspended`',
    tests: ['providers/error-bodies.test.ts', 'providers/provider-a/contract.test.ts'],
  },
  {
    about: 'YouTube',
    finding: 'The list of uploads is missing (`playlistNotFound`) in outages, for channels with videos',
    sources: 'anxdpanic/plugin.video.youtube 1196 and 1418',
    outcome: 'The channel counts as empty only if it reports no videos; otherwise the read is tried again later',
    tests: ['providers/provider-a/content.test.ts'],
  },
  {
    about: 'YouTube',
    finding: 'An account policy wants a new sign-in: `invalid_grant` with `invalid_rapt`',
    sources: 'Google, OAuth errors; several clients',
    outcome: 'It was right before: the grant ends, and a new consent helps',
    tests: ['providers/error-bodies.test.ts'],
  },
  {
    about: 'TikTok',
    finding: 'One scope that is not approved refuses the whole authorization on a page of TikTok, without a callback',
    sources: 'brightbeanxyz/brightbean-studio 106; AceDataCloud/Skills 798; andreaolivato/TikTok-LoginKit-PHP 12',
    outcome:
      '`registration permissions` asks for the approved ones only; `try-provider --permission` tries them. Sandbox: `b.approvedScopes`',
    tests: ['api/connect/connect-launch.test.ts', 'cli/try-provider.test.ts'],
  },
  {
    about: 'TikTok',
    finding: 'New apps find no product Display API: its scopes are in the list of Login Kit',
    sources: 'trypostit/trypost 315',
    outcome: 'In docs/providers.md and the checklist',
    tests: [],
  },
  {
    about: 'TikTok',
    finding: 'A wrong form of PKCE is refused only with the code: "Code verifier or code challenge is invalid."',
    sources: 'several public integrations',
    outcome: 'The error names `PROVIDER_B_PKCE`. The sandbox does the same',
    tests: ['providers/provider-b/contract.test.ts'],
  },
  {
    about: 'TikTok',
    finding: 'A sandbox of TikTok has a client key and a secret of its own',
    sources: 'gitroomhq/postiz-docs 167',
    outcome: 'In the checklist',
    tests: [],
  },
  {
    about: 'TikTok',
    finding: 'A short link leads a server to a page for people instead of a redirect',
    sources: 'yt-dlp, tiktok.py; TufayelLUS/TikTok-Video-Downloader-PHP 26 and 31',
    outcome: 'oEmbed is asked first; a page ends the lookup. Sandbox: `b.shortLinks`',
    tests: ['providers/provider-b/lookup.test.ts', 'providers/provider-b/contract.test.ts'],
  },
  {
    about: 'Instagram',
    finding: 'A blocked or deactivated app answers code 200, "API access blocked", to every call',
    sources: 'a public incident log of September 2026; msigley/WP-Instagram-API 6',
    outcome: 'Our own fault: no permission is withdrawn, an alert. Sandbox: `c.appState`',
    tests: [
      'providers/error-bodies.test.ts',
      'providers/provider-c/contract.test.ts',
      'activities/platform-faults.test.ts',
    ],
  },
  {
    about: 'Instagram',
    finding: 'In outages, posts answer 100/33 and insights answer code 10, for days',
    sources: 'geoff-maddock/events-tracker 1900; airbytehq/airbyte 32245',
    outcome:
      'A post is gone after two reads at least an hour apart, beside one that is shown. One refused post does not decide about its neighbours',
    tests: ['activities/platform-faults.test.ts', 'providers/provider-c/metrics.test.ts'],
  },
  {
    about: 'Instagram',
    finding:
      'Consent and code work, and then every call answers code 100, "Unsupported request": Standard Access, no accepted tester, or no professional account',
    sources: 'diwenne/openreply 17; in2code-de/instagram 41; stevenschobert/instafeed.js 654',
    outcome: 'The account is unusable; the checklist names the causes. Sandbox: `c.accountsNotServed`',
    tests: ['providers/provider-c/contract.test.ts', 'providers/provider-c/account.test.ts'],
  },
  {
    about: 'Instagram',
    finding: 'The same with code 10, "The user is not an Instagram Business"',
    sources: 'gitroomhq/postiz-app, instagram.provider.ts',
    outcome: 'The account is unusable',
    tests: ['providers/error-bodies.test.ts'],
  },
  {
    about: 'Instagram',
    finding: 'One field that no longer exists refuses the whole call; the message names it',
    sources: 'several public issues of 2026 about `account_type`',
    outcome:
      'Only that field is left out. A refusal that names none brings the least fields, and does not erase the stored ones. It is kept as an unknown answer',
    tests: ['providers/provider-c/account.test.ts', 'providers/provider-c/content.test.ts'],
  },
  {
    about: 'Instagram',
    finding: 'Posts of several accounts are listed for their owner only',
    sources: 'Automattic/jetpack 34729; Dymantic/laravel-instagram-feed 73',
    outcome: 'In docs/providers.md. A lookup cannot end early: no answer names the owner of a post that is not listed',
    tests: [],
  },
  {
    about: 'Instagram',
    finding: 'A share link redirects only a request with the headers of a browser',
    sources: 'mikf/gallery-dl 7241',
    outcome:
      'The request never has them. The person is asked for another link; an operator can allow a plain request. Sandbox: `c.shareLinks`',
    tests: ['providers/provider-c/lookup.test.ts', 'providers/provider-c/contract.test.ts'],
  },
  {
    about: 'Instagram',
    finding: 'The consent page refuses popups and frames',
    sources: 'trypostit/trypost 3',
    outcome: 'In docs/providers.md',
    tests: [],
  },
  {
    about: 'Instagram',
    finding: 'Some insights do not exist for some kinds of posts',
    sources: 'exileum/meta-mcp 120; airbytehq/airbyte 62902',
    outcome:
      'A refused one is not asked for again for posts of this kind in the same call. The plan of refreshes stays at 30 calls: real calls are counted and limited',
    tests: ['providers/provider-c/metrics.test.ts'],
  },
  {
    about: 'Instagram',
    finding: 'Code 1, "Please reduce the amount of data you\'re asking for"',
    sources: 'facebook-business clients that halve their pages',
    outcome: 'The page is read in smaller ones. Sandbox: `c.mostPerPage`',
    tests: ['providers/provider-c/content.test.ts', 'providers/provider-c/contract.test.ts'],
  },
  {
    about: 'Instagram',
    finding: '"API calls from the server require an appsecret_proof argument": the switch "Require app secret" is on',
    sources: 'Spring Social; several public integrations of 2026',
    outcome:
      'Our own fault and an alert; the checklist names the switch. We do not send the proof: the platform documents none for this login. Sandbox: `c.appState`',
    tests: ['providers/error-bodies.test.ts', 'providers/provider-c/contract.test.ts'],
  },
  {
    about: 'Instagram',
    finding: 'An account behind a checkpoint answers 190/459',
    sources: 'public clients that special-case it',
    outcome: 'It was right before: the grant ends, and a new consent helps',
    tests: ['providers/error-bodies.test.ts'],
  },
  {
    about: 'Instagram',
    finding: 'A permission without Advanced Access refuses the whole authorization ("Invalid Scopes")',
    sources: 'gitroomhq/postiz-app 1199; trypostit/trypost 3',
    outcome: '`registration permissions` asks for the approved ones only',
    tests: ['api/connect/connect-launch.test.ts'],
  },
  {
    about: 'OpenID Connect',
    finding: 'Many servers refuse the request for `prompt=select_account`',
    sources: 'logto-io/logto 6921; QuackbackIO/quackback 347; pocket-id/pocket-id 1442',
    outcome:
      'The values of `prompt_values_supported` are sent; `IDENTITY_PROMPT` decides for servers without a list. One setting for all issuers: a list per issuer would repeat what nearly every server publishes',
    tests: ['identity/oidc.test.ts', 'identity/sign-in.test.ts', 'sandbox/idp.test.ts'],
  },
  {
    about: 'OpenID Connect',
    finding: 'Issuers sign with ES384 or EdDSA',
    sources: 'twentyhq/twenty 22780; ToolJet/ToolJet 16495; int128/kubelogin 1210',
    outcome: 'These and ES512, PS384, PS512 are taken, and the rest is refused before the person signs in',
    tests: ['identity/sign-in.test.ts'],
  },
  {
    about: 'OpenID Connect',
    finding: 'A refusal comes without the announced `iss`',
    sources: 'django-oauth/django-oauth-toolkit 1846; keycloak/keycloak 25584',
    outcome: 'It ends the attempt. A code without it is still refused, and the log has the reason',
    tests: ['api/connect/identity.test.ts'],
  },
  {
    about: 'OpenID Connect',
    finding: 'Entra leaves out `groups` above 200 groups',
    sources: 'Microsoft, Configure group claims for applications',
    outcome: 'The log shows it, and docs/production.md names app roles instead',
    tests: ['identity/operator-sign-in.test.ts'],
  },
];
