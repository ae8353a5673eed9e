import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../../local/src/services.ts';
import { SENT_EVENT_TYPES } from '../../src/basics/codes.ts';
import { WebhookEventBody } from '../../src/webhooks/event-schema.ts';

const FILE = path.join(ROOT, 'clients', 'typescript', 'webhook-events.schema.json');
/** Later versions may add fields, so the published schema accepts fields that it does not name. Our own check refuses them. */
const published = z.toJSONSchema(WebhookEventBody, {
  override: ({ jsonSchema }) => {
    delete jsonSchema.additionalProperties;
  },
});
/** `WEBHOOK_SCHEMA=1` writes the published schema again; format it with Biome. */
const schema = { title: 'Webhook event of the Social Account Connection Service', ...published };
const text = `${JSON.stringify(schema, null, 2)}\n`;
if (process.env.WEBHOOK_SCHEMA === '1') writeFileSync(FILE, text);

test('the published JSON Schema is that of the events', () => {
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(text));
});

test('a receiver that validates events by the published schema accepts a field of a later version', () => {
  expect(readFileSync(FILE, 'utf8')).not.toContain('additionalProperties');
});

test('the schema and the page of webhooks name every event', () => {
  const types = WebhookEventBody.options.map((event) => event.shape.type.value);
  expect(types.toSorted()).toEqual([...SENT_EVENT_TYPES].toSorted());
  const page = readFileSync(path.join(ROOT, 'docs', 'webhooks.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, type]) => type);
  expect(rows.toSorted()).toEqual([...SENT_EVENT_TYPES].toSorted());
});
