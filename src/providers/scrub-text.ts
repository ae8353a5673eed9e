/** Cuts what it shows to this many characters. */
const MOST_SHOWN = 300;
/** Longer texts are not read to their end. */
const MOST_READ = 2_000;

const HIDDEN = '…';

/**
 * Words with a capital letter that name nobody: how platforms begin their sentences, and what they call themselves and their
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

/** A run of characters that ids, tokens and words consist of. */
const WORD = /[\p{L}\p{N}\p{M}_-]+/gu;

/**
 * Makes a platform's error text fit to be stored and shown: without addresses, numbers, ids, tokens and names, and cut to 300
 * characters. Of a word, it keeps only what looks like English.
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
  // Names of fields, codes and permissions have underscores; ids and tokens have digits, too.
  if (/^[a-z]+(?:[_-][a-z]+)*$/.test(word)) return word.length <= 60 && word.split(/[_-]/).every(isShort);
  if (/^[A-Z]{2,20}(?:_[A-Z]{1,20})+$/.test(word)) return true;
  return KNOWN_WORDS.has(word);
}

/** No word of error texts is longer, and no token is shorter. */
const isShort = (part: string) => part.length <= 20;
