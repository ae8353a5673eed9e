import { ENUMS, INPUTS, OBJECTS } from './contract-types.ts';

/**
 * Every rule that a caller may rely on, by its place in the contract: its part, then its number or name. The contract
 * leaves the rules under `D` open, and this service decides them. At least one test name begins with each place.
 */
const RULES_IN_WORDS = {
  // 2: resources and fields
  '2 DateTime': 'Input is an ISO 8601 date-time with a zone; output is UTC with milliseconds.',
  '2 DecimalCount':
    'A count of any size is a string of digits: more than 64 bits from a platform, 60 digits from a row.',
  '2 field rule 1': 'Reconnecting an account keeps the id of its connection.',
  '2 field rule 2': "A connection shows the platform's own id of the account.",
  '2 field rule 3': 'A connection has one capability state for each granted capability, and no others.',
  '2 field rule 4':
    'The profile shows only while CONNECTED, with PROFILE available, and for less than 30 days after it was read.',
  '2 field rule 5': 'Sync times show only while CONNECTED; the next retry only while a failed sync waits for it.',
  '2 field rule 6': 'PROVIDER_A posts have no thumbnail, and PROVIDER_C posts no title.',
  '2 field rule 7': 'Metrics are shown only to a connection with CONTENT_METRICS.',
  '2 field rule 8': 'A post shows its last read, and is listed for 30 days from then.',
  '2 field rule 9': "An unavailable post has a reason, and its platform's id works in reads and refreshes.",
  '2 field rule 10': 'A metric has a count or null.',
  '2 field rule 11':
    'A page is complete only if recent successful scans cover its whole window; otherwise it has a reason.',
  '2 field rule 12': 'A revoke receipt asks the person to remove the app if the grant may still exist.',
  '2 field rule 13':
    'A lookup names its post; a scan returns whether it covered its window and, for a day, a cursor to continue.',
  '2 field rule 14': 'A COMPLETED attempt has its connection, and at most one action for the person.',
  '2 field rule 15': "A completed sign-in has its issuer and the person's stable id there.",
  '2 field rule 16': 'Readiness lists each provider once, by policy and configuration.',
  '2 field rule 17': 'Readiness returns whether the app can start a sign-in.',
  // 3: states
  '3 attempt overdue': 'An unfinished attempt reads EXPIRED from its deadline on.',
  '3 attempt completed': 'A COMPLETED attempt shows its connection.',
  '3 attempt result gone': 'An attempt can be read for 24 hours after its creation.',
  '3 connection paused':
    'While its registration is paused, a read of a CONNECTED connection is AUTHORIZATION_SUSPENDED.',
  '3 connection grant ended': 'With an ended grant or an expired refresh credential, a read is RECONNECT_REQUIRED.',
  '3 connection registration withdrawn':
    'If its registration no longer serves the app, a read is CAPABILITY_UNAVAILABLE.',
  '3 connection policy changed':
    'If the policy no longer allows tenant, provider or a capability, a read is FORBIDDEN.',
  '3 connection disconnected': 'A disconnect cuts reads with its own commit, and starts a revoke and an erase.',
  '3 connection erased': 'An erased connection is NOT_FOUND.',
  '3 connection not connected': 'In every status except CONNECTED a read returns the row without a profile.',
  '3 sign-in pending': 'A redeem of a PENDING sign-in spends nothing.',
  '3 sign-in ended': 'A redeem of an ended sign-in spends the proof: the next one is NOT_FOUND.',
  // 4: operations
  '4 endpoint': 'One path accepts POSTs of JSON with a query and variables.',
  '4 endpoint GET': 'A GET of that path is 404.',
  '4 endpoint schema': 'The schema is public, and served as text.',
  '4 endpoint one operation': 'A request holds exactly one operation.',
  '4 endpoint launch': 'Launch URLs are the two redeem paths on the Connect host.',
  '4 status': 'Everybody may ask whether the service answers.',
  '4 integrationReadiness': 'It needs a key.',
  '4 query rule 1': 'An attempt can be read only in the scope that created it; otherwise it is NOT_FOUND.',
  '4 query rule 2': 'Every read checks the connection; an erased one, or one of another scope, is NOT_FOUND.',
  '4 query rule 3': 'A subject sees its connections in every status, page by page; one failed check fails the call.',
  '4 query rule 4': 'A connection with CONTENT_LIST lists the posts of a window, newest first, page by page.',
  '4 query rule 5':
    'CONTENT_LIST or CONTENT_LOOKUP reads one post; null if the service never read it, blank after 30 days.',
  '4 query rule 6': 'Jobs of all five kinds can be read; receipts by the id of the former connection.',
  '4 createConnectSession scope': 'The tenant is registered; the subject has 1 to 128 characters.',
  '4 createConnectSession provider': 'The provider is allowed for the app.',
  '4 createConnectSession capabilities': 'At least one capability, no duplicates, all allowed for the app.',
  '4 createConnectSession returnUrl': 'Exactly one of the return URLs; no fragment, no parameter beginning with ss_.',
  '4 createConnectSession reconnectConnectionId':
    'A live connection of the same scope and provider; one being disconnected is DISCONNECT_IN_PROGRESS, others NOT_FOUND.',
  '4 createConnectSession result': 'Id, launch URL, a token of 64 hexadecimal digits, and both deadlines.',
  '4 createConnectSession held':
    'In production FORBIDDEN after a disconnect at that provider, until its revoke has settled.',
  '4 disconnectConnection': 'Access ends at once, and two jobs show the state of revoke and erase.',
  '4 disconnectConnection again': 'Until the erase a second call returns the same jobs; then NOT_FOUND.',
  '4 disconnectConnection production':
    "The subject's other accounts at that provider are on hold until the revoke has settled.",
  '4 disconnectConnection pending': 'The revocation is pending until the revoke job has succeeded.',
  '4 requestRefresh providerContentId': 'One stored post, with CONTENT_METRICS, without window or cursor.',
  '4 requestRefresh window': 'At most 90 days and 100 posts; the last 7 days if omitted.',
  '4 requestRefresh continuationCursor': 'From an incomplete scan; a window sent with it must be the same.',
  '4 requestRefresh capability': 'A scan needs CONTENT_LIST.',
  '4 requestRefresh in flight': 'A request that is in flight returns its job.',
  '4 requestRefresh busy': 'Another window while a scan is in flight is SYNC_WINDOW_BUSY.',
  '4 requestContentLookup capability': 'A lookup needs CONTENT_LOOKUP.',
  '4 requestContentLookup url': 'HTTPS without credentials, port or fragment.',
  '4 requestContentLookup result': 'A successful lookup names the post, which can then be read by that id.',
  '4 requestContentLookup unavailable': 'A lookup may succeed and return why its post is not available.',
  '4 createIdpIdentitySession tenantKey': 'The tenant is registered for the app.',
  '4 createIdpIdentitySession returnUrl': "Exactly the app's identity return URL.",
  '4 createIdpIdentitySession result': 'Id, launch URL, token, proof, and both deadlines.',
  '4 createIdpIdentitySession errors': 'CAPABILITY_UNAVAILABLE if sign-in is not set up.',
  '4 redeemIdpIdentityResult': 'A result can be redeemed once, by id, tenant and proof together.',
  // 5: authentication
  '5 authentication 1': 'Every operation except status needs a key.',
  '5 authentication 2': 'A credential is `Bearer`, a UUID, a dot and 64 hexadecimal digits; anything else is refused.',
  '5 authentication 3': 'The key identifies the app; scopes are accepted as sent.',
  '5 authentication 4': 'An unregistered tenant is FORBIDDEN or NOT_FOUND, by operation.',
  '5 authentication 5': 'A key works until its expiry or its revocation.',
  '5 authentication 6': 'An app has at most two active keys.',
  '5 authentication 7': 'A key reaches nothing of another app.',
  '5 authentication 8': 'No CORS; no key, token or proof in plain text in logs or database.',
  '5 authentication 9': 'Launch tokens work only in the form, proofs only on the server.',
  '5 authentication 10': 'An unusable key is UNAUTHENTICATED, a disabled app FORBIDDEN.',
  '5 authentication 11': 'Every error carries a correlation id, a UUID.',
  // 7: errors
  '7 shape': 'An error has message, code, correlation id and, for rate limits, retryAfterSeconds.',
  '7 status 200': 'Refused operations answer 200 with an errors array.',
  '7 status 400': 'Invalid requests, broken limits and batches answer 400 with BAD_USER_INPUT, naming the limit.',
  '7 status 413': 'A body over 64 KiB is refused before GraphQL, without a GraphQL body.',
  '7 status 404': 'A GET on the path answers 404.',
  '7 code UNAUTHENTICATED': 'A bad, unknown, revoked or expired key.',
  '7 code FORBIDDEN': 'A disabled app, an unregistered tenant, or a policy that no longer allows it.',
  '7 code NOT_FOUND': 'An erased, foreign, expired, spent or missing id.',
  '7 code BAD_USER_INPUT': 'Invalid input, or an exceeded limit.',
  '7 code AUTHORIZATION_SUSPENDED': 'A read while the registration is paused.',
  '7 code RECONNECT_REQUIRED': 'A read when the grant has ended.',
  '7 code CAPABILITY_UNAVAILABLE': 'A read when the registration no longer serves; a sign-in that is not set up.',
  '7 code DISCONNECT_IN_PROGRESS': 'A reconnect of a connection that is being disconnected.',
  '7 code RATE_LIMITED': 'Too many unfinished attempts or jobs in flight.',
  '7 code SYNC_WINDOW_BUSY': 'Another window while a scan is in flight.',
  '7 code UPSTREAM_UNAVAILABLE': 'An internal failure, masked.',
  '7 clients': 'A client reads the body for every HTTP status and follows the code.',
  '7 closed set': 'No answer has another code.',
  // 8: limits
  '8 operations': 'One operation a request; no batches.',
  '8 aliases': '8 aliases a request.',
  '8 depth': 'Fields 8 deep.',
  '8 cost': 'A cost of 100: 10 a root field, 1 a nested one.',
  '8 body': '64 KiB of JSON.',
  '8 scope strings': 'Tenant key and subject have 1 to 128 characters each.',
  '8 connections first': '1 to 100, by default 20.',
  '8 content first': '1 to 50.',
  '8 window span': 'Windows of content and scans span at most 90 days.',
  '8 maxItems': '1 to 100, by default 100.',
  '8 default window': 'A scan without a window reads the last 7 days.',
  '8 lookup url': 'At most 2,048 characters.',
  '8 attempt deadline': '10 minutes after creation.',
  '8 attempt result': 'Readable for 24 hours after creation.',
  '8 sign-in deadlines': '10 minutes to finish, 20 to redeem.',
  '8 unfinished attempts': '5 for a subject at a provider.',
  '8 unfinished sign-ins': '20 for an app, with retryAfterSeconds.',
  '8 jobs in flight': '20 reads for an app; retryAfterSeconds is 60.',
  '8 post freshness': 'Posts read in the last 30 days are listed; older ones read as EXPIRED.',
  '8 profile freshness': 'Shown for less than 30 days.',
  '8 finished jobs': 'Readable for 7 days.',
  '8 receipts': 'Readable for 7 days after creation, also after the erase.',
  '8 continuation': 'Offered for less than 24 hours after an incomplete scan.',
  '8 launch token': 'It works once; 64 hexadecimal digits.',
  '8 active keys': 'At most two for an app.',
  // D: decided here
  'D ended reasons': 'The events of a disconnect and of the erase name the reason.',
  'D ended grants':
    'Nothing of a person whose grant has not worked for the days of its registration is left: 29 at PROVIDER_A, 90 at the others.',
  'D disconnect statuses': 'DISCONNECTED with the call, DELETING when the revoke has settled, then erased.',
  'D disconnect cancels': 'A disconnect cancels reads in flight and attempts to reconnect.',
  'D disconnect purges': 'Posts and profile are purged before the revoke has settled.',
  'D disconnect always allowed': 'A disconnect ignores pause and policy.',
  'D revoke without a call': "PROVIDER_C's revoke succeeds and asks the person to remove the app.",
  'D revoke spares':
    'Nothing but a disconnect revokes a grant on which a grant in use may depend, known or unknown; its tokens are discarded.',
  'D revoke given up':
    'The service tries a revoke for 72 hours, at most an hour apart; then it is FAILED, and the erase continues.',
  'D siblings alive': 'A sibling that is alive after the revoke is CONNECTED again.',
  'D siblings dead': 'A sibling that is dead after the revoke is RECONNECT_REQUIRED.',
  'D reads by status':
    'Reading posts of a suspended, dead or disconnected connection is AUTHORIZATION_SUSPENDED, RECONNECT_REQUIRED or DISCONNECT_IN_PROGRESS.',
  'D order of checks': 'FORBIDDEN, CAPABILITY_UNAVAILABLE, AUTHORIZATION_SUSPENDED, RECONNECT_REQUIRED, in this order.',
  'D tenant not registered': 'FORBIDDEN everywhere except syncJob and redeemIdpIdentityResult, which answer NOT_FOUND.',
  'D missing looks foreign': 'A missing, foreign or erased id gets the same answer.',
  'D pause': 'A pause leaves connections CONNECTED.',
  'D attempt resultCode': 'An attempt without a connection has a code of a closed set.',
  'D attempt expired':
    'After its deadline an attempt stays EXPIRED; later it can only add that a grant may still exist.',
  'D attempt canceled': 'A disconnect of its target, or a newer completed attempt, cancels an attempt to reconnect.',
  'D same account': 'Connecting an account again in the same scope keeps its connection.',
  'D capability states': 'A withdrawn capability shows as NOT_GRANTED with its reason, and cannot be used.',
  'D job errorCode': 'A failed job has a code of a closed set.',
  'D omitted windows': 'Two omitted windows are the same while one is in flight.',
  'D same lookup': 'A lookup of a URL that is in flight returns that job.',
  'D own scans yield': "Our own scan yields to a caller's, and does not count against the limit.",
  'D coverage union': 'Several scanned ranges can cover a window together.',
  'D coverage ages': 'Each range counts for 24 hours.',
  'D coverage end': "A range ends at its scan's first request, which is lastSuccessfulSyncAt.",
  'D coverage reasons':
    'An incomplete page has NEVER_SCANNED, SCAN_RUNNING, SCAN_STALE, SCAN_FAILED or PARTLY_SCANNED.',
  'D scan recheck': 'A scan that reached its end finds stored posts that are gone.',
  'D sync status':
    'PENDING until the first scan starts, RUNNING, then READY, PARTIAL or FAILED; STALE when the last success is 24 hours old.',
  'D first scan': 'A new connection gets its profile and a first scan without a request.',
  'D cursors': 'A cursor works only for its own list; any other use is BAD_USER_INPUT.',
  'D launch origin': "A token works only from the app's own pages, and a refusal spends nothing.",
  'D keys at once': 'A revoked key, a disabled app or a changed policy applies to the next request on every process.',
  'D correlation header': 'The response header also has the correlation id.',
  'D input text': 'Lengths are in code points; NUL and unpaired surrogates are BAD_USER_INPUT.',
  'D input ids': 'A malformed id gets the same answer as an unknown one.',
  'D any input':
    'For every input: no 5xx, no unmasked failure, no error without code and correlation id, no data of another scope.',
  'D transitions': 'A status makes only the listed moves.',
} as const;

const each = (types: object, text: string) =>
  Object.fromEntries(
    Object.keys(types).map((name) => [`${name === 'Query' || name === 'Mutation' ? 4 : 2} ${name}`, text]),
  );

/** All rules, by place. */
export const RULES: Readonly<Record<string, string>> = {
  ...each(ENUMS, 'It has exactly its values.'),
  ...each(INPUTS, 'It has exactly its fields, with their types and defaults.'),
  ...each(OBJECTS, 'It has exactly its fields, with their arguments, types and nullability.'),
  ...RULES_IN_WORDS,
};
