// Renders the table of docs/architecture.md that lists the triggers by their effect, read from the migrations in order.

/** The effect of each trigger function. A function without an entry stops `npm run codegen`. */
const EFFECTS = {
  refuse_unreadable_tokens: 'refuses tokens from a role that may not read tokens',
  refuse_unreadable_credential: 'refuses to let a role that may not read credentials delete a valid one',
  refuse_change: 'refuses the change',
  journal_fact: 'writes a line for the erasure journal',
  webhook_added_connections: 'writes the event `connection.connected`',
  webhook_moved_connection: 'writes the event of the new status, such as `connection.disconnected`',
  webhook_erased_connections: 'writes the event `connection.erased`',
  webhook_paused_registration:
    'writes `connection.suspended` or `connection.resumed` for each app that the registration serves',
  webhook_ended_attempt: 'writes the event `connect_session.finished`',
  webhook_ended_sign_in: 'writes the event `identity_session.finished`',
  webhook_ended_read: 'writes `job.finished`, and `content.changed` if posts changed',
  webhook_settled_receipt: 'writes the event `receipt.settled`',
  count_added_connections: 'updates the number of connections',
  count_removed_connections: 'updates the number of connections',
  count_moved_connection: 'updates the number of connections',
  count_ended_attempt: 'updates the numbers on the page Trends of the console',
  count_ended_job: 'updates the numbers on the page Trends of the console',
  count_refreshed_token: 'updates the numbers on the page Trends of the console',
  count_lost_grant: 'updates the numbers on the page Trends of the console',
  count_ended_delivery: 'updates the numbers on the page Trends of the console',
  note_proof: 'stores when the grant was confirmed again, or since when it is not',
};

const STATEMENT =
  /\b(?:drop trigger (?<dropped>\w+)|alter trigger (?<old>\w+) on \w+ rename to (?<renamed>\w+)|alter function (?<oldAct>\w+) rename to (?<newAct>\w+)|create (?:constraint )?trigger (?<name>\w+) (?:before|after) [\w\s]+? on \w+(?<rest>[^;]*?)execute function (?<act>\w+))/g;

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
    } else triggers.set(name, groups);
  }
  const names = new Map();
  for (const [name, { act, rest }] of triggers) {
    if (EFFECTS[act] === undefined) throw new Error(`scripts/trigger-table.mjs does not describe ${act}().`);
    const effect = EFFECTS[act] + (rest.includes('initially deferred') ? ', at the commit' : '');
    names.set(effect, [...(names.get(effect) ?? []), `\`${name}\``]);
  }
  const rows = [...names].map(([effect, list]) => `| ${effect} | ${list.sort().join(', ')} |`);
  return ['| Effect | Triggers |', '|---|---|', ...rows.sort()].join('\n');
}
