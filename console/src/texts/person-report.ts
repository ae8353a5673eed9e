import { PLATFORM_NAMES, PROVIDER_NAMES } from '../../../src/basics/codes.ts';

/** A row of an export, as the api gives it. */
interface ExportedRow {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly sealed: readonly string[];
}

interface Person {
  readonly appName: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** Each kind of record, in the order of a report: its name and meaning, for the person. */
const KINDS: Readonly<Record<string, readonly [title: string, about: string]>> = {
  scope: ['Identifiers', 'The names under which the application refers to you.'],
  connection: ['Connected accounts', 'Your accounts at platforms, with the profile that we have read.'],
  connect_attempt: ['Attempts to connect', 'Each time you were asked to connect an account.'],
  account_grant: [
    'Permissions',
    'Your consent at the platform. We keep the access tokens encrypted; they are not shown.',
  ],
  content_item: ['Posts', 'The posts of your accounts that we have read, with their metrics.'],
  coverage: ['Periods read', 'The periods for which we have read posts.'],
  read_job: ['Reads', 'Each time we read posts, on request or by ourselves.'],
  webhook_event: ['Notices to the application', 'Our notices to the application about your accounts.'],
  webhook_delivery: ['Deliveries of notices', 'When the application received these notices.'],
  disconnect_job: [
    'Disconnects',
    'How access was revoked at the platform, and data erased here. REMOVE_APP_AT_PROVIDER: the platform offers no revoke, so only you can end the access there.',
  ],
  erasure: ['Erasures', 'Requests to erase all of your data.'],
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const toWords = (name: string): string => {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
};

/** A value in HTML: lists of lists for objects. */
function renderValue(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return escapeHtml(value.join(', ') || 'none');
    return `<ul>${value.map((item) => `<li>${renderValue(item)}</li>`).join('')}</ul>`;
  }
  if (typeof value === 'object' && value !== null) return renderFields(value as Record<string, unknown>);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const provider = PROVIDER_NAMES.find((one) => one === value);
  return escapeHtml(provider === undefined ? String(value) : PLATFORM_NAMES[provider]);
}

const renderFields = (row: Readonly<Record<string, unknown>>): string => {
  const fields = Object.entries(row).filter(([, value]) => value !== null && value !== '');
  return `<dl>${fields.map(([name, value]) => `<dt>${escapeHtml(toWords(name))}</dt><dd>${renderValue(value)}</dd>`).join('')}</dl>`;
};

const renderRow = ({ row, sealed }: ExportedRow): string => {
  const kept =
    sealed.length === 0
      ? ''
      : `<p>Not shown, and stored encrypted only while it is needed: ${escapeHtml(sealed.map(toWords).join(', '))}.</p>`;
  return `<article>${renderFields(row)}${kept}</article>`;
};

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#14182b;background:#fff}
article{border:1px solid #c9cedb;border-radius:.5rem;padding:.5rem 1rem;margin:.75rem 0;break-inside:avoid}
dl{display:grid;grid-template-columns:minmax(9rem,14rem) 1fr;gap:.25rem 1rem;margin:.25rem 0}dt{font-weight:600}
dd{margin:0;overflow-wrap:anywhere}ul{margin:0;padding-left:1.25rem}nav li{display:inline;margin-right:1rem}
@media (max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
@media (prefers-color-scheme:dark){body{color:#e8eaf2;background:#14161f}article{border-color:#454b5c}a{color:#9db5ff}}`;

/** A page to hand over to the person: all that is stored, in words, in one file without links to anywhere. */
export function renderReport(lines: readonly string[], person: Person, at: Date): string {
  const rows = lines.map((line) => JSON.parse(line) as ExportedRow);
  const tables = [...new Set([...Object.keys(KINDS), ...rows.map(({ table }) => table)])];
  const parts = tables
    .map((table) => ({ table, own: rows.filter((row) => row.table === table) }))
    .filter(({ own }) => own.length > 0)
    .map(({ table, own }) => ({ table, own, words: KINDS[table] ?? [toWords(table), ''] }));
  const links = parts.map(
    ({ table, own, words: [title] }) =>
      `<li><a href="#${escapeHtml(table)}">${escapeHtml(title)}</a> (${own.length})</li>`,
  );
  const sections = parts.map(
    ({ table, own, words: [title, about] }) =>
      `<section id="${escapeHtml(table)}"><h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p>${own.map(renderRow).join('')}</section>`,
  );
  const title = `Data of ${person.externalSubjectId}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><h1>${escapeHtml(title)}</h1>
<p>All that is stored of this person in the app “${escapeHtml(person.appName)}”, tenant “${escapeHtml(person.tenantKey)}”, on
${escapeHtml(at.toISOString())}. Times are in UTC.</p><nav aria-label="Parts"><ul>${links.join('')}</ul></nav>${sections.join('')}
</body></html>`;
}

/** The name of a file about a person: who and when. @param ending without the dot */
export const nameReport = (subject: string, at: Date, ending: string): string =>
  `data-of-${subject.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60)}-${at.toISOString().slice(0, 10)}.${ending}`;
