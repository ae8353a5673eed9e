import { because, type ProviderRow } from '../../kit/behaviours-document.ts';

const A = 'providers/provider-a';
const B = 'providers/provider-b';
const C = 'providers/provider-c';

const contract = (provider: string, name: string) => `providers/contract > ${provider} > ${name}` as const;
const inEach = (name: string) => ({
  PROVIDER_A: [contract('PROVIDER_A', name)] as const,
  PROVIDER_B: [contract('PROVIDER_B', name)] as const,
  PROVIDER_C: [contract('PROVIDER_C', name)] as const,
});
const BY_ID = 'reads posts by id in the largest batch, without those that are gone, hidden or somebody else’s';

export const READING: Readonly<Record<string, readonly ProviderRow[]>> = {
  Listing: [
    ['Exactly the posts of a window', inEach('lists exactly the posts of a window, from …')],
    ['Every kind of account to its end', inEach('lists every account to its end, whatever its traits')],
    [
      'Order, and old posts among new ones',
      {
        PROVIDER_A: [
          `${A}/content > listing > finds what was uploaded long before it came out, and stops a month past the window`,
          'sandbox/provider-a > PROVIDER_A in the sandbox > lists uploads by upload, not by publication, and scheduled ones without a date',
        ],
        PROVIDER_B: [`${B}/content > listing > does not stop at an old post among newer ones`],
        PROVIDER_C: [`${C}/content > listing > does not stop at a pinned old post, but at a whole page of old ones`],
      },
    ],
    [
      'Edges of the window',
      {
        PROVIDER_A: [
          `${A}/content > listing > keeps to both edges of the window: the first instant is in, the last is out`,
        ],
        PROVIDER_B: [
          `${B}/content > listing > stops when what follows is older than the window, and keeps to both its edges`,
        ],
        PROVIDER_C: [
          `${C}/content > listing > hints at the window in whole seconds, and filters by itself all the same`,
        ],
      },
    ],
    [
      'Cursor traps',
      {
        PROVIDER_A: [
          `${A}/content > listing > starts at the top when a token is refused, but only once`,
          `${A}/content > listing > refuses a cursor it never wrote`,
        ],
        PROVIDER_B: [
          `${B}/content > listing > gives up, honestly, on a cursor that does not move`,
          `${B}/content > listing > refuses a cursor it never wrote`,
        ],
        PROVIDER_C: [
          `${C}/content > listing > continues by cursor, never by the URL in paging.next`,
          `${C}/content > listing > refuses a cursor it never wrote`,
        ],
      },
    ],
    [
      'Short, empty and missing pages',
      {
        PROVIDER_A: [`${A}/content > listing > takes a channel that never uploaded for empty`],
        PROVIDER_B: [
          `${B}/content > listing > follows short and empty pages to the end, a bounded number of them in one call`,
          `${B}/content > listing > takes a missing list for an empty one`,
        ],
        PROVIDER_C: [`${C}/content > listing > ends at a page without posts or paging`],
      },
    ],
    [
      'The end of what the provider lists',
      {
        PROVIDER_A: [`${A}/content > listing > says so when the provider’s own limit, and not the end, was reached`],
        PROVIDER_B: because('it documents no limit.'),
        PROVIDER_C: [
          `${C}/content > listing > says so when the provider’s own limit, or a cursor that does not move, ended it`,
        ],
      },
    ],
    [
      'Fields refused',
      {
        PROVIDER_A: because('it refuses none.'),
        PROVIDER_B: [`${B}/account > asks for exactly the fields that were granted`],
        PROVIDER_C: [
          `${C}/content > listing > repeats with the least fields when one is refused, and remembers it`,
          `${C}/contract > lists with the least fields, and still every post, where one is refused`,
        ],
      },
    ],
  ],
  Posts: [
    ['Batches by id, and what is silently missing from them', inEach(BY_ID)],
    [
      'One bad id in a batch',
      {
        PROVIDER_A: because('it leaves bad ids out.'),
        PROVIDER_B: because('it leaves bad ids out.'),
        PROVIDER_C: [`${C}/content > reading by id > asks one by one when one bad id fails them all, with …`],
      },
    ],
    [
      'Deleted, private and scheduled posts',
      {
        PROVIDER_A: [
          `${A}/content > listing > leaves out what is private or only scheduled, and asks when the list has no date`,
          contract('PROVIDER_A', BY_ID),
        ],
        PROVIDER_B: [contract('PROVIDER_B', BY_ID)],
        PROVIDER_C: [contract('PROVIDER_C', BY_ID)],
      },
    ],
    [
      'Metrics, with their source',
      {
        PROVIDER_A: [`${A}/content > metrics > are all four, each with its source`],
        PROVIDER_B: [`${B}/content > a post > has its four counts, to the last digit`],
        PROVIDER_C: [`${C}/metrics > are all four, each with its source`],
      },
    ],
    [
      'Metrics to the last digit, and why one is missing',
      inEach('reads all four metrics as they are, to the last digit, and says why one is missing'),
    ],
    [
      'Missing is not zero',
      {
        PROVIDER_A: [`${A}/content > metrics > are unavailable, not zero, where the count is missing`],
        PROVIDER_B: [`${B}/content > a post > has an unavailable metric where a count is missing`],
        PROVIDER_C: [
          `${C}/metrics > are unavailable, not zero and not a failure, for …`,
          `${C}/metrics > are unavailable where likes are hidden or comments not shown`,
        ],
      },
    ],
    [
      'Metrics refused or not granted',
      {
        PROVIDER_A: because('one permission covers them all.'),
        PROVIDER_B: because('one permission covers them all.'),
        PROVIDER_C: [
          `${C}/metrics > are asked for one by one when one refused metric fails both`,
          `${C}/metrics > say not granted when the permission has been withdrawn since, and stop asking`,
          `${C}/metrics > are likes and comments alone, without a call more, where insights were not granted`,
        ],
      },
    ],
    [
      'Kind',
      {
        PROVIDER_A: [contract('PROVIDER_A', 'reads the posts as they are: text, links and kind')],
        PROVIDER_B: [`${B}/content > a post > is of unknown kind when its URL says photo`],
        PROVIDER_C: [`${C}/content > a post > of type …`],
      },
    ],
    [
      'Canonical URL',
      {
        PROVIDER_A: [contract('PROVIDER_A', 'reads the posts as they are: text, links and kind')],
        PROVIDER_B: [`${B}/content > a post > has a URL without what it says about us, and other parameters kept`],
        PROVIDER_C: [contract('PROVIDER_C', 'reads the posts as they are: text, links and kind')],
      },
    ],
    [
      'Title, description, thumbnail',
      {
        PROVIDER_A: [contract('PROVIDER_A', 'reads the posts as they are: text, links and kind')],
        PROVIDER_B: [
          contract('PROVIDER_B', 'reads the posts as they are: text, links and kind'),
          `${B}/content > a post > reads an empty title as none`,
        ],
        PROVIDER_C: [
          `${C}/content > a post > has no title, its caption as description, and a time whose zone lacks a colon`,
          `${C}/content > a post > of type …`,
        ],
      },
    ],
  ],
  'Lookup by URL': [
    [
      'Every form',
      {
        PROVIDER_A: [`${A}/lookup > finds …`],
        PROVIDER_B: [
          `${B}/lookup > finds …`,
          `${B}/contract > finds a post by every form of its URL, and not somebody else’s`,
        ],
        PROVIDER_C: [
          `${C}/lookup > finds …`,
          `${C}/contract > finds a post by every form of its URL, however old, and not somebody else’s`,
        ],
      },
    ],
    [
      'What is no post',
      {
        PROVIDER_A: [`${A}/lookup > refuses …`],
        PROVIDER_B: [`${B}/lookup > refuses …`],
        PROVIDER_C: [`${C}/lookup > refuses …`],
      },
    ],
    [
      'Short links, along an allow-list',
      {
        PROVIDER_A: because('its short links carry the id.'),
        PROVIDER_B: [`${B}/lookup > follows …`, `${B}/contract > does not follow the short link …`],
        PROVIDER_C: [
          `${C}/lookup > follows …`,
          `${C}/lookup > takes a share link that ends at a login page for unsupported`,
          `${C}/contract > finds a post by every form of its URL, however old, and not somebody else’s`,
        ],
      },
    ],
    [
      'Somebody else’s post, or one that is gone',
      {
        PROVIDER_A: [`${A}/lookup > does not find what is gone, private or somebody else’s`],
        PROVIDER_B: [
          `${B}/lookup > does not find what is gone, private or somebody else’s: all three are silently missing`,
        ],
        PROVIDER_C: [
          `${C}/contract > finds a post by every form of its URL, however old, and not somebody else’s`,
          `${C}/lookup > ends where the posts end`,
        ],
      },
    ],
    [
      'A post read before',
      {
        PROVIDER_A: because('the URL has the id: one call.'),
        PROVIDER_B: because('the URL has the id: one call.'),
        PROVIDER_C: [`${C}/lookup > a post read before > …`],
      },
    ],
    [
      'A search that is bounded',
      {
        PROVIDER_A: because('the URL has the id: one call.'),
        PROVIDER_B: because('the URL has the id: one call.'),
        PROVIDER_C: [`${C}/lookup > searches a bounded number of the newest posts`],
      },
    ],
  ],
  'Calls and limits': [
    [
      'Calls of every flow, counted',
      {
        PROVIDER_A: ['activities/call-counts > PROVIDER_A receives exactly the listed calls in each flow'],
        PROVIDER_B: ['activities/call-counts > PROVIDER_B receives exactly the listed calls in each flow'],
        PROVIDER_C: ['activities/call-counts > PROVIDER_C receives exactly the listed calls in each flow'],
      },
    ],
    [
      'The latest 100 posts',
      {
        PROVIDER_A: [
          `${A}/content > listing > reads the latest 100 posts for 5 units, metrics and all`,
          `${A}/contract > the latest 100 posts cost 5 units beside their channel, metrics and all`,
        ],
        PROVIDER_B: [`${B}/content > listing > reads 100 posts in five calls`],
        PROVIDER_C: [
          `${C}/content > listing > reads 100 posts in two calls; where views and shares are wanted, in ten and one for each post`,
        ],
      },
    ],
    [
      'A daily quota used up',
      {
        PROVIDER_A: [
          `${A}/contract > a quota used up says when it comes back`,
          'providers/quota-reset > counts to midnight Pacific time: …',
        ],
        PROVIDER_B: because('it has limits by the minute only.'),
        PROVIDER_C: [`${C}/contract > says how long to wait when the account’s budget is used up`],
      },
    ],
    [
      'Rate limit, and how long to wait',
      {
        PROVIDER_A: [
          `${A}/errors > an API error is what its reason says > rateLimitExceeded`,
          `${A}/errors > an API error is what its reason says > a delay…`,
        ],
        PROVIDER_B: [
          `${B}/contract > says how long to wait at the rate limit`,
          `${B}/errors > an API error is what its code says, whatever the status > with …`,
        ],
        PROVIDER_C: [`${C}/errors > an API error is what its code says; type and status say little > 80002, …`],
      },
    ],
  ],
};
