import { PLATFORM_NAMES, PROVIDER_NAMES } from '../../../src/basics/codes.ts';
import { mapDetails } from '../../../src/basics/post-details.ts';
import { toTitle } from './format.ts';
import {
  describePart,
  describeTime,
  findWords,
  formatInstant,
  nameField,
  nameSealed,
  toWords,
} from './person-words.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row of an export, as the api gives it. */
interface ExportedRow {
  readonly table: string;
  readonly row: Row;
  readonly sealed: readonly string[];
}

interface Person {
  readonly appName: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** How a report shows the rows of a table. */
interface Kind {
  readonly title: string;
  readonly about: string;
  /** The columns whose values name a row, in the order of its heading. */
  readonly heading: readonly string[];
  /** The columns that the person reads, in this order, with their labels. The rest is folded. */
  readonly fields: Readonly<Record<string, string>>;
}

const PLATFORM = { provider: 'Platform' } as const;

/** The labels of a post's shown fields: their names in words, unless those would be technical. */
const POST_DETAILS = { ...mapDetails(toWords), thumbnailUrl: 'Preview picture' };

/** Each kind of record, in the order of a report. */
const KINDS: Readonly<Record<string, Kind>> = {
  scope: {
    title: 'Identifiers',
    about: 'The names under which the application refers to you.',
    heading: [],
    fields: { external_subject_id: 'Your id in the application', tenant_key: 'Part of the application' },
  },
  connection: {
    title: 'Connected accounts',
    about: 'Your accounts at platforms, with the profile that we have read.',
    heading: ['provider', 'profile'],
    fields: {
      ...PLATFORM,
      status: 'State',
      profile: 'Profile',
      profile_observed_at: 'Profile read',
      capabilities: 'We may',
      provider_account_id: 'Id of the account at the platform',
      created_at: 'Connected',
      changed_at: 'State last changed',
      proven_at: 'Access last confirmed',
      proof_failed_at: 'Access could not be confirmed',
      unproven_since: 'Not confirmed since',
      removal_reported_at: 'The platform reported that you removed the app',
      sync_status: 'Posts',
      last_successful_sync_at: 'Posts last read',
    },
  },
  connect_attempt: {
    title: 'Attempts to connect',
    about: 'Each time you were asked to connect an account.',
    heading: ['provider', 'created_at'],
    fields: {
      ...PLATFORM,
      status: 'Result',
      result_code: 'Reason',
      creator_action: 'Left to you',
      capabilities: 'We asked to',
      created_at: 'Begun',
      finished_at: 'Ended',
    },
  },
  account_grant: {
    title: 'Permissions',
    about: 'Your consent at the platform. We keep the access tokens encrypted; they are not shown.',
    heading: ['provider', 'obtained_at'],
    fields: {
      ...PLATFORM,
      status: 'State',
      permissions: 'Permissions, by the names of the platform',
      obtained_at: 'Given',
      provider_account_id: 'Id of the account at the platform',
      profile: 'Profile',
      profile_observed_at: 'Profile read',
      access_expires_at: 'Our access must be renewed by',
      refresh_expires_at: 'Our access ends without renewal',
    },
  },
  content_item: {
    title: 'Posts',
    about: 'The posts of your accounts that we have read, with their metrics.',
    heading: ['kind', 'published_at'],
    fields: {
      ...POST_DETAILS,
      kind: 'Kind',
      published_at: 'Published',
      canonical_url: 'Address',
      metrics: 'Numbers',
      metrics_observed_at: 'Numbers read',
      availability: 'At the platform',
      reason: 'Reason',
      observed_at: 'Read',
      blanked_at: 'Content erased here',
    },
  },
  coverage: {
    title: 'Periods read',
    about: 'The periods for which we have read posts.',
    heading: [],
    fields: { published: 'Posts published', scanned_at: 'Read' },
  },
  read_job: {
    title: 'Readings',
    about: 'Each time we read posts, at the request of the application or on our own.',
    heading: ['kind', 'provider', 'created_at'],
    fields: {
      kind: 'Kind',
      ...PLATFORM,
      status: 'Result',
      error_code: 'Reason',
      incomplete_reason: 'Not complete, because',
      requested_by: 'Requested by',
      published_after: 'Posts published after',
      published_before: 'Posts published before',
      url: 'Address of the post',
      item_count: 'Posts found',
      created_at: 'Requested',
      started_at: 'Begun',
      finished_at: 'Ended',
    },
  },
  webhook_event: {
    title: 'Notices to the application',
    about: 'Our notices to the application about your accounts.',
    heading: ['type', 'occurred_at'],
    fields: { type: 'Notice', occurred_at: 'Time' },
  },
  webhook_delivery: {
    title: 'Deliveries of notices',
    about: 'When the application received these notices.',
    heading: ['event_type', 'occurred_at'],
    fields: { event_type: 'Notice', status: 'State', occurred_at: 'Time', finished_at: 'Ended' },
  },
  disconnect_job: {
    title: 'Disconnects',
    about: 'The end of our access at the platform, and of your data here.',
    heading: ['kind', 'provider', 'created_at'],
    fields: {
      kind: 'Step',
      ...PLATFORM,
      status: 'Result',
      creator_action: 'Left to you',
      error_code: 'Reason',
      reason: 'Why it was disconnected',
      created_at: 'Requested',
      started_at: 'Begun',
      finished_at: 'Ended',
    },
  },
  erasure: {
    title: 'Erasures',
    about: 'Requests to erase all of your data.',
    heading: ['requested_at'],
    fields: { requested_at: 'Requested', completed_at: 'Completed' },
  },
  deletion_request_connection: {
    title: 'Deletions asked for at a platform',
    about: 'The platform passed on your request to delete your data.',
    heading: [],
    fields: { code: 'Confirmation code' },
  },
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const getPlatform = ({ provider }: Row): string => {
  const name = PROVIDER_NAMES.find((one) => one === provider);
  return name === undefined ? 'the platform' : PLATFORM_NAMES[name];
};

/** A column's value in words, where those depend on the rest of the row. */
function describeColumn(table: string, column: string, row: Row): string | undefined {
  if (row.creator_action === null || row.creator_action === undefined) return undefined;
  if (column === 'creator_action')
    return table === 'connect_attempt'
      ? `If you have not connected the account since then, remove the app in your settings at ${getPlatform(row)}`
      : `Remove the app in your settings at ${getPlatform(row)}`;
  const isLeft = table === 'disconnect_job' && column === 'status' && row.status === 'SUCCEEDED';
  return isLeft ? `Left to you: ${getPlatform(row)} does not let us end the access` : undefined;
}

function describeText(table: string, column: string, text: string): string {
  const words = findWords(table, column, text);
  return describeTime(text) ?? (words === undefined ? text : toTitle(words));
}

/** A value in HTML: lists of lists for objects. */
function renderValue(table: string, column: string, value: unknown): string {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object'))
      return escapeHtml(value.map((item) => describeText(table, column, String(item))).join(', ') || 'none');
    return `<ul>${value.map((item) => `<li>${renderValue(table, column, item)}</li>`).join('')}</ul>`;
  }
  if (typeof value === 'object' && value !== null) {
    const part = describePart(value);
    if (part !== undefined) return escapeHtml(part);
    return renderFields(Object.entries(value).map(([name, one]) => [nameField(name), renderValue('', name, one), one]));
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return escapeHtml(describeText(table, column, String(value)));
}

type Field = readonly [label: string, html: string, value: unknown];

const renderFields = (fields: readonly Field[]): string => {
  const stored = fields.filter(([, , value]) => value !== null && value !== undefined && value !== '');
  return `<dl>${stored.map(([label, html]) => `<dt>${escapeHtml(label)}</dt><dd>${html}</dd>`).join('')}</dl>`;
};

/** The name of a profile, or the words for a column's value. */
function describeForHeading(table: string, column: string, row: Row): string | undefined {
  const value = row[column];
  if (typeof value === 'object' && value !== null) {
    const { displayName, handle } = value as { displayName?: unknown; handle?: unknown };
    const name = displayName ?? handle;
    return typeof name === 'string' && name !== '' ? name : undefined;
  }
  return typeof value === 'string' && value !== '' ? describeText(table, column, value) : undefined;
}

/** A row with the shown fields of a post, which share a column, beside the others. */
const spreadDetails = ({ details, ...row }: Row): Row =>
  typeof details === 'object' ? { ...row, ...details } : { ...row, details };

function renderRow({ table, row: stored, sealed }: ExportedRow): string {
  const row = spreadDetails(stored);
  const { heading, fields } = KINDS[table] ?? { heading: [], fields: {} };
  const fieldOf = (column: string, label: string): Field => {
    const words = describeColumn(table, column, row);
    return [label, words === undefined ? renderValue(table, column, row[column]) : escapeHtml(words), row[column]];
  };
  const name = heading.map((column) => describeForHeading(table, column, row)).filter((part) => part !== undefined);
  const read = Object.entries(fields).map(([column, label]) => fieldOf(column, label));
  const folded = Object.keys(row)
    .filter((column) => !Object.hasOwn(fields, column) && row[column] !== null && row[column] !== '')
    .map((column) => fieldOf(column, toWords(column)));
  const kept =
    sealed.length === 0
      ? ''
      : `<p>Never shown, and stored encrypted only while needed: ${escapeHtml(sealed.map(nameSealed).join(', '))}.</p>`;
  return [
    '<article>',
    name.length > 0 && `<h3>${escapeHtml(name.join(', '))}</h3>`,
    read.length > 0 && renderFields(read),
    folded.length > 0 && `<details><summary>Technical data</summary>${renderFields(folded)}</details>`,
    kept,
    '</article>',
  ]
    .filter((part) => part !== false)
    .join('');
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#14182b;background:#fff}
article{border:1px solid #c9cedb;border-radius:.5rem;padding:.5rem 1rem;margin:.75rem 0;break-inside:avoid}
h3{font-size:1rem;margin:.25rem 0 .5rem;overflow-wrap:anywhere}summary{cursor:pointer;color:#4a5168;font-size:.875rem;min-height:1.5rem}
dl{display:grid;grid-template-columns:minmax(9rem,14rem) 1fr;gap:.25rem 1rem;margin:.25rem 0}dt{font-weight:600}
dd{margin:0;overflow-wrap:anywhere}ul{margin:0;padding-left:1.25rem}nav ul{padding:0}nav li{display:inline-block;margin-right:1rem}
details{margin:.5rem 0 .25rem}details dl{font-size:.875rem}
@media (max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
@media (prefers-color-scheme:dark){body{color:#e8eaf2;background:#14161f}article{border-color:#454b5c}a{color:#9db5ff}summary{color:#b6bccd}}`;

/** A page to hand over to the person: all that is stored, in words, in one file without links to anywhere. */
export function renderReport(lines: readonly string[], person: Person, at: Date): string {
  const rows = lines.map((line) => JSON.parse(line) as ExportedRow);
  const tables = [...new Set([...Object.keys(KINDS), ...rows.map(({ table }) => table)])];
  const parts = tables
    .map((table) => ({ table, own: rows.filter((row) => row.table === table) }))
    .filter(({ own }) => own.length > 0)
    .map(({ table, own }) => ({ table, own, kind: KINDS[table] ?? { title: toWords(table), about: '' } }));
  const links = parts.map(
    ({ table, own, kind: { title } }) =>
      `<li><a href="#${escapeHtml(table)}">${escapeHtml(title)}</a> (${own.length})</li>`,
  );
  const sections = parts.map(
    ({ table, own, kind: { title, about } }) =>
      `<section id="${escapeHtml(table)}"><h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p>${own.map(renderRow).join('')}</section>`,
  );
  const title = `Data of ${person.externalSubjectId}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><h1>${escapeHtml(title)}</h1>
<p>All data that we have stored about you for the application “${escapeHtml(person.appName)}” (“${escapeHtml(person.tenantKey)}”), on
${escapeHtml(formatInstant(at))}. “Technical data” under an entry has its reference numbers.</p><nav aria-label="Parts"><ul>${links.join('')}</ul></nav>${sections.join('')}
</body></html>`;
}

/** The name of a file about a person: who and when. @param ending without the dot */
export const nameReport = (subject: string, at: Date, ending: string): string =>
  `data-of-${subject.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60)}-${at.toISOString().slice(0, 10)}.${ending}`;
