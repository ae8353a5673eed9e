/** The most characters of a shown text. */
const MOST_SHOWN = 300;
/** Longer texts are not read to their end. */
const MOST_READ = 2_000;

const HIDDEN = '…';

/**
 * Words with a capital letter that name no person: how platforms begin their sentences, and their own names and those of their
 * parts. Any other such word may be a name.
 */
const KNOWN_WORDS = new Set(
  `A API APIs Access Account An Any App Application Authentication Authorization Backend Bad Bearer Blocked Business Cannot
  Capability Channel Client Code Consumer Content Could Creator Credentials Daily Data Developer Display Domain Due Error
  Expired Facebook Failed Failure Field Fields File For Forbidden From GET Get Google Graph HTTP HTTPS ID IDs If In Input
  Insights Instagram Insufficient Internal Invalid It JSON Kit Limit Login Malformed Matching Max Maximum Media Message Meta
  Metric Missing Must No Not Number Object On One Only POST Page Param Parameter Parameters Permission Permissions Platform
  Please Policy Post Professional Project Queries Query Quota Rate Redirect Refresh Request Requests Required Requires
  Resource Response Retry Scope Scopes Server Service Session Something Sorry Standard Technical Test Tester The There These
  This Tick TikTok Token Tokens Too Try URI URIs URL URLs Unable Unauthorized Unexpected Unknown Unsupported Use User Users
  Value Version Video Videos We Webhook When Wrong You YouTube Your OAuth`.split(/\s+/),
);

/**
 * Words in small letters that error texts and names of fields, codes and permissions consist of. Any other such word may be a
 * handle, which people choose freely at TikTok and Instagram.
 */
const KNOWN_PARTS = new Set(
  `a able about accept accepted access accessing account accounts action active again age all allow allowed already also an and
  another any api app application applications apps are argument as asked associated at attempt audit authenticate
  authenticated authentication authorization authorize authorized available back backend bad basic be bearer because been
  before being below between blocked body business but by bytes call callback calls can canceled cannot caption challenge
  change changed channel channels character characters check children client clients closed code codes comment comments
  complete completed condition configured confirm connect connected connection consent contact contain contains content
  correct could count counts country create created creator credential credentials current cursor daily data date day days
  declined default deleted denied description detail details developer developers development device did different disabled
  display do does doing domain done due duplicate duration during each early either email empty enable enabled encoded end
  endpoint enough entity error errors exact exactly exceed exceeded exceeds exchange exist existing exists expected expire
  expired expires expiry external failed failure facebook fetch field find fields file for forbidden format found from full get give given
  go google grant granted graph handle has have header headers here hour hours html http https id identical identifier identity ids if
  image in inactive incorrect info information input insights instagram insufficient integer internal into invalid invalidated invite
  ip is issue issued issuer it item items its json key kind known later learn length less level like likes limit limited limits
  link list listed live locale log logged login logs long longer longest made make malformed manage many match matching
  max maximum may media message meta metadata method metric metrics mine minimum minute minutes missing mode month more most must
  name need needed needs network new no node nonce nonexisting not null number oauth object occurred of off ok old on once one
  only open openid operation or order origin other our out over own owner page pages param parameter parameters parse part
  partner password path payload pending per period permission permissions permitted person personal photo picture pkce
  platform play please policy possible post posts precondition preview previous privacy private probably problem process
  processed product production professional profile project properly properties property protected provide provided provider
  proxy public publish published query quota range rate reach read readonly reason received recent redirect reduce refresh refused region
  register registered reject rejected related removed repeat replaced request requested requests require required requires
  reset resource response restricted result results retry revocable revoke revoked role roles same sandbox scope scopes second
  seconds secret secure security see select self send sent server service session set settings shared should signature signed
  since site size so some something soon source specified stale standard start state stats status still stop string sub subject
  submitted successful such supplied support supported suspended system tampered temporarily temporary test tester testing than
  that the their them then there these they this those through tiktok time timeout timestamp title to today token tokens tomorrow too total transient
  tried try type unable unauthorized unavailable under unexpected unique unknown unlisted unsupported until update uploaded uri
  uris url urls usage use used user username users using valid validate validated validating validation value values verified
  verifier verify version via video videos view viewed viewer viewers views visible wait was we web website week weeks went were
  what when where which while who window wishes with within without works write wrong year you your youtube zero`.split(
    /\s+/,
  ),
);

/** A run of characters that ids, tokens and words consist of. */
const WORD = /[\p{L}\p{N}\p{M}_-]+/gu;

/**
 * Makes a platform's error text fit to be stored and shown: without addresses, numbers, ids, tokens and names, and cut to 300
 * characters. It keeps only words that look like English.
 */
export function scrubText(text: string): string {
  const scrubbed = text
    .slice(0, MOST_READ)
    .replace(/\S+/g, (run) => (/@|:\/\//.test(run) ? HIDDEN : run))
    .replace(WORD, (word) => (mayBeShown(word) ? word : hide(word)))
    .replaceAll(/[^\x20-\x7e…]+/g, ' ')
    .split(HIDDEN)
    .filter((part, index, parts) => index === 0 || index === parts.length - 1 || /[^ .:/-]/.test(part))
    .join(HIDDEN)
    .trim();
  return scrubbed.length <= MOST_SHOWN ? scrubbed : `${scrubbed.slice(0, MOST_SHOWN - 1)}${HIDDEN}`;
}

const hide = (word: string) => (/^\d+$/.test(word) ? '#' : HIDDEN);

function mayBeShown(word: string): boolean {
  if (/^(?:\d{1,3}|v\d{1,2})$/.test(word)) return true;
  if (/^[a-z]+(?:[_-][a-z]+)*$/.test(word)) return word.split(/[_-]/).every((part) => KNOWN_PARTS.has(part));
  if (/^[A-Z]{2,20}(?:_[A-Z]{1,20})+$/.test(word)) return true;
  return KNOWN_WORDS.has(word);
}
