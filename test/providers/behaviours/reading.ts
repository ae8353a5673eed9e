import { because, type ProviderRow } from './document.ts';

const A = 'providers/provider-a';
const B = 'providers/provider-b';
const C = 'providers/provider-c';

const contract = (provider: string, name: string) => `providers/contract > ${provider} > ${name}` as const;
const inEach = (name: string) => ({
  PROVIDER_A: [contract('PROVIDER_A', name)] as const,
  PROVIDER_B: [contract('PROVIDER_B', name)] as const,
  PROVIDER_C: [contract('PROVIDER_C', name)] as const,
});
const changing = (provider: string) =>
  `providers/complete-listings > a listing of ${provider} > that has reached the end holds exactly what the platform listed` as const;
const BY_ID = 'reads posts by id in the largest batch, without those that are deleted, hidden or foreign';

export const READING: Readonly<Record<string, readonly ProviderRow[]>> = {
  Listing: [
    ['Exactly the posts of a window', inEach('lists exactly the posts of a window, from …')],
    ['Every kind of account, to its end', inEach('lists every kind of account to its end')],
    [
      'Order, and old posts among new ones',
      {
        PROVIDER_A: [
          `${A}/content > listing > finds videos that were uploaded long before publication, and stops a month past the window`,
          'sandbox/provider-a > PROVIDER_A in the sandbox > lists uploads by upload time, not by publication, and scheduled ones without a date',
        ],
        PROVIDER_B: [`${B}/content > listing > does not stop at an old post among newer ones`],
        PROVIDER_C: [`${C}/content > listing > does not stop at a pinned old post, but at a whole page of old ones`],
      },
    ],
    [
      'Edges of the window',
      {
        PROVIDER_A: [`${A}/content > listing > includes the first instant of the window and excludes the last`],
        PROVIDER_B: [
          `${B}/content > listing > stops when the next posts are older than the window, and respects both its edges`,
        ],
        PROVIDER_C: [`${C}/content > listing > sends the window in whole seconds, and filters by itself as well`],
      },
    ],
    [
      'Invalid and stuck cursors',
      {
        PROVIDER_A: [
          `${A}/content > listing > starts at the top when a token is refused, and ends as incomplete if that goes on`,
          `${A}/content > listing > refuses a foreign cursor`,
        ],
        PROVIDER_B: [
          `${B}/content > listing > stops at a cursor that does not advance, and reports an incomplete listing`,
          `${B}/content > listing > refuses a foreign cursor`,
        ],
        PROVIDER_C: [
          `${C}/content > listing > continues by cursor, never by the URL in paging.next`,
          `${C}/content > listing > starts at the top when a cursor is refused, and ends as incomplete if that goes on`,
          `${C}/content > listing > refuses a foreign cursor`,
        ],
      },
    ],
    [
      'A list that changes between two calls, and calls that fail',
      {
        PROVIDER_A: [changing('PROVIDER_A'), `${A}/content > listing > if videos are deleted > …`],
        PROVIDER_B: [
          changing('PROVIDER_B'),
          `${B}/content > listing > returns posts of one second on both sides of a page’s end, …`,
          `${B}/content > listing > is incomplete, and goes on, if a page may not have all posts of its only second`,
        ],
        PROVIDER_C: [changing('PROVIDER_C')],
      },
    ],
    [
      'Short, empty and missing pages',
      {
        PROVIDER_A: [`${A}/content > listing > told that there is no list of uploads > …`],
        PROVIDER_B: [
          `${B}/content > listing > follows short and empty pages to the end, up to a limit per call`,
          `${B}/content > listing > treats a missing list as an empty one`,
        ],
        PROVIDER_C: [
          `${C}/content > listing > ends at a page without posts or paging`,
          `${C}/content > listing > does not stop at a short page of pinned old posts`,
        ],
      },
    ],
    [
      'The provider’s own limit of a listing',
      {
        PROVIDER_A: [`${A}/content > listing > reports when it reached the provider’s own limit and not the end`],
        PROVIDER_B: because('it documents no limit.'),
        PROVIDER_C: [
          `${C}/content > listing > reports when the provider’s own limit, or a cursor that does not advance, ended it`,
        ],
      },
    ],
    [
      'Refused fields',
      {
        PROVIDER_A: because('it refuses no fields.'),
        PROVIDER_B: [`${B}/account > requests exactly the fields that were granted`],
        PROVIDER_C: [
          `${C}/content > listing > repeats with the fewest fields if one is refused, and remembers it`,
          `${C}/contract > lists every post with the fewest fields if one is refused`,
        ],
      },
    ],
  ],
  Posts: [
    ['Batches by id, and posts missing from their answers', inEach(BY_ID)],
    [
      'One bad id in a batch',
      {
        PROVIDER_A: because('it omits bad ids.'),
        PROVIDER_B: because('it omits bad ids.'),
        PROVIDER_C: [
          `${C}/content > reading by id > requests each post separately if one bad id fails them all, with …`,
        ],
      },
    ],
    [
      'Deleted, private and scheduled posts',
      {
        PROVIDER_A: [
          `${A}/content > listing > leaves out private and scheduled videos, and requests dates that the list lacks`,
          contract('PROVIDER_A', BY_ID),
        ],
        PROVIDER_B: [contract('PROVIDER_B', BY_ID)],
        PROVIDER_C: [contract('PROVIDER_C', BY_ID)],
      },
    ],
    [
      'Metrics, with their source',
      {
        PROVIDER_A: [`${A}/content > metrics > include all four, each with its source`],
        PROVIDER_B: [`${B}/content > a post > has its four counts, to the last digit`],
        PROVIDER_C: [`${C}/metrics > include all four, each with its source`],
      },
    ],
    [
      'Metrics to the last digit, and why one is missing',
      inEach('reads all four metrics to the last digit, or the reason why one is missing'),
    ],
    [
      'A missing metric is not zero',
      {
        PROVIDER_A: [`${A}/content > metrics > are unavailable, not zero, if the count is missing`],
        PROVIDER_B: [`${B}/content > a post > has an unavailable metric if a count is missing`],
        PROVIDER_C: [
          `${C}/metrics > are unavailable, not zero and not a failure, for …`,
          `${C}/metrics > are unavailable if likes are hidden or comments not shown`,
        ],
      },
    ],
    [
      'Metrics that are refused or not granted',
      {
        PROVIDER_A: because('one permission covers them all.'),
        PROVIDER_B: because('one permission covers them all.'),
        PROVIDER_C: [
          `${C}/metrics > are requested one by one if one refused metric fails both`,
          `${C}/metrics > report NOT_GRANTED after the permission was withdrawn, and send no more calls`,
          `${C}/metrics > are likes and comments only, without an extra call, if insights were not granted`,
        ],
      },
    ],
    [
      'Kind',
      {
        PROVIDER_A: [contract('PROVIDER_A', 'reads text, links and kind of each post')],
        PROVIDER_B: [`${B}/content > a post > is of unknown kind if its URL says photo`],
        PROVIDER_C: [`${C}/content > a post > of type …`],
      },
    ],
    [
      'Canonical URL',
      {
        PROVIDER_A: [contract('PROVIDER_A', 'reads text, links and kind of each post')],
        PROVIDER_B: [`${B}/content > a post > has a URL without our tracking parameters, and with all others`],
        PROVIDER_C: [contract('PROVIDER_C', 'reads text, links and kind of each post')],
      },
    ],
    [
      'Title, description, thumbnail',
      {
        PROVIDER_A: [contract('PROVIDER_A', 'reads text, links and kind of each post')],
        PROVIDER_B: [
          contract('PROVIDER_B', 'reads text, links and kind of each post'),
          `${B}/content > a post > reads an empty title as none`,
        ],
        PROVIDER_C: [
          `${C}/content > a post > has no title, its caption as description, and accepts a time zone without a colon`,
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
          `${B}/contract > finds a post by every form of its URL, and no foreign one`,
        ],
        PROVIDER_C: [
          `${C}/lookup > finds …`,
          `${C}/contract > finds a post by every form of its URL, of any age, and no foreign one`,
        ],
      },
    ],
    [
      'URLs of no post',
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
          `${C}/lookup > reports a share link that ends at a login page as unsupported`,
          `${C}/contract > finds a post by every form of its URL, of any age, and no foreign one`,
        ],
      },
    ],
    [
      'A foreign post, or a deleted one',
      {
        PROVIDER_A: [`${A}/lookup > does not find deleted, private or foreign posts`],
        PROVIDER_B: [`${B}/lookup > does not find deleted, private or foreign posts: the answer omits all three`],
        PROVIDER_C: [
          `${C}/contract > finds a post by every form of its URL, of any age, and no foreign one`,
          `${C}/lookup > stops after the last post`,
        ],
      },
    ],
    [
      'A post that was read before',
      {
        PROVIDER_A: because('the URL has the id: one call.'),
        PROVIDER_B: because('the URL has the id: one call.'),
        PROVIDER_C: [`${C}/lookup > a post read before > …`],
      },
    ],
    [
      'A search with a limit',
      {
        PROVIDER_A: because('the URL has the id: one call.'),
        PROVIDER_B: because('the URL has the id: one call.'),
        PROVIDER_C: [`${C}/lookup > searches the newest 2,000 posts, and says nothing of the others`],
      },
    ],
  ],
  'Calls and limits': [
    [
      'The number of calls of every flow',
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
          `${A}/content > listing > reads the latest 100 posts with their metrics for 5 units`,
          `${A}/contract > the latest 100 posts with their metrics cost 6 units, and their channel one more`,
        ],
        PROVIDER_B: [
          `${B}/content > listing > reads 100 posts in six calls: each page begins with the second in which the one before has ended`,
        ],
        PROVIDER_C: [
          `${C}/content > listing > reads 100 posts in two calls; with views and shares, in ten and one per post`,
        ],
      },
    ],
    [
      'A used-up daily quota',
      {
        PROVIDER_A: [
          `${A}/contract > a used-up quota reports its reset time`,
          'providers/quota-reset > counts to midnight Pacific time: …',
        ],
        PROVIDER_B: because('it has only limits per minute.'),
        PROVIDER_C: [`${C}/contract > gives the delay when the account’s budget is used up`],
      },
    ],
    [
      'A rate limit and its delay',
      {
        PROVIDER_A: [
          `${A}/errors > an API error is classified by its reason > rateLimitExceeded`,
          `${A}/errors > an API error is classified by its reason > a delay…`,
        ],
        PROVIDER_B: [
          `${B}/contract > gives the delay of the rate limit`,
          `${B}/errors > an API error is classified by its code, with any status > with …`,
        ],
        PROVIDER_C: [`${C}/errors > an API error is classified by its code, not by type or status > 80002, …`],
      },
    ],
  ],
};
