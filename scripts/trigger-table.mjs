// Renders the table of docs/architecture.md that lists the side effects of changed rows, read from the triggers of the migrations.

/**
 * The effect of each trigger function and its first argument, and the condition if there is one. A function without an entry stops
 * `npm run codegen`.
 */
const EFFECTS = {
  refuse_unreadable_tokens: ["refuses tokens, unless the role may also read them (the api's may not)"],
  refuse_unreadable_credential: [
    "refused before the row expires, unless the role may read its hash (the worker's may not)",
  ],
  refuse_change: ['refused'],
  'journal_fact CONNECTION': ['journal', 'DISCONNECTED'],
  'journal_fact GRANT': ['journal', 'DEAD'],
  'journal_fact KEPT_TOKENS': ['journal', 'null'],
  'journal_fact SUBJECT': ['journal'],
  'journal_fact APP_KEY': ['journal', 'set'],
  'journal_fact ADMIN_TOKEN': ['journal', 'set'],
  webhook_added_connections: ['event `connection.connected`'],
  webhook_moved_connection: ['event of the new status, such as `connection.disconnected`'],
  webhook_erased_connections: ['event `connection.erased`'],
  webhook_paused_registration: [
    'event `connection.suspended` or `connection.resumed` for each app of the registration',
  ],
  webhook_ended_attempt: ['event `connect_session.finished`', 'ended'],
  webhook_ended_sign_in: ['event `identity_session.finished`', 'ended'],
  webhook_ended_read: ['events `job.finished` and, if posts changed, `content.changed`', 'ended'],
  webhook_settled_receipt: ['event `receipt.settled`', 'ended'],
  count_added_connections: ['count'],
  count_removed_connections: ['count'],
  count_moved_connection: ['count'],
  count_ended_attempt: ['Trends', 'ended'],
  'count_ended_job READ': ['Trends', 'ended'],
  'count_ended_job REVOKE': ['Trends, if it is a revoke', 'ended'],
  count_refreshed_token: ['Trends'],
  count_lost_grant: ['Trends', 'RECONNECT_REQUIRED'],
  count_ended_delivery: ['Trends', 'ended'],
  uncount_repeated_delivery: ['Trends', 'sent again'],
  note_proof: [
    'stores since when the grant lacks a [proof](providers.md#data-of-ended-grants), or that it has one again',
    'now or no longer RECONNECT_REQUIRED',
  ],
};

/** The triggers that refuse less than their function: each effect replaces the function's. */
const NARROWED = { audit_log_kept: ["refused, except of an operator's read that is more than a year old"] };

const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const STATEMENT =
  /\b(?:drop trigger (?<dropped>\w+)|alter trigger (?<old>\w+) on \w+ rename to (?<renamed>\w+)|alter function (?<oldAct>\w+) rename to (?<newAct>\w+)|create (?:constraint )?trigger (?<name>\w+) (?:before|after) (?<events>[\w\s]+?) on (?<table>\w+)(?<rest>[^;]*?)execute function (?<act>\w+)\((?:'(?<argument>\w+)')?)/g;

/** @param migrations the SQL of all migrations, in their order. @returns the rows of a Markdown table. */
export function renderTriggers(migrations) {
  const triggers = new Map();
  for (const { groups } of migrations.join('\n').matchAll(STATEMENT)) {
    const { dropped, old, renamed, oldAct, newAct, name } = groups;
    if (dropped) triggers.delete(dropped);
    else if (old) {
      triggers.set(renamed, triggers.get(old));
      triggers.delete(old);
    } else if (oldAct) {
      for (const trigger of triggers.values()) if (trigger.act === oldAct) trigger.act = newAct;
    } else triggers.set(name, { ...groups });
  }
  /** The effects of each change, such as that of a column in a table, by their condition. */
  const changes = new Map();
  for (const [name, { table, events, rest, act, argument }] of triggers) {
    const [effect, condition = ''] = NARROWED[name] ?? EFFECTS[`${act} ${argument}`] ?? EFFECTS[act] ?? [];
    if (effect === undefined) throw new Error(`scripts/trigger-table.mjs does not describe ${act}() of ${name}.`);
    const event = events.replace(/\bof (\w+)/, 'of `$1`');
    const key = `${table} ${event}`;
    const change = changes.get(key) ?? { table, event, effects: {} };
    change.effects[condition] ??= [];
    change.effects[condition].push(rest.includes('initially deferred') ? `${effect} (deferred)` : effect);
    changes.set(key, change);
  }
  /** Tables whose same change has the same effects share a row. */
  const rows = new Map();
  for (const { table, event, effects } of changes.values()) {
    const sentences = Object.entries(effects)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([condition, list]) => capitalize(`${condition && `if ${condition}: `}${list.sort().join('; ')}`));
    const row = `: ${event} | ${sentences.join('. ')} |`;
    rows.set(row, [...(rows.get(row) ?? []), `\`${table}\``].sort());
  }
  const lines = [...rows].map(([row, tables]) => `| ${tables.join(', ')}${row}`);
  return ['| Change | Effect |', '|---|---|', ...lines.sort()].join('\n');
}
