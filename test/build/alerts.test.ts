import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { hasPrometheus, OPS, prometheusProgram } from '../kit/prometheus.ts';

const promtool = (...args: string[]) =>
  execFileSync(prometheusProgram('promtool'), args, { cwd: OPS, encoding: 'utf8' });
const rules = readFileSync(path.join(OPS, 'alerts.yml'), 'utf8');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

/** The anchor that GitHub and Markdown viewers make of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');

test.runIf(hasPrometheus)('promtool accepts the rules and the example configuration', () => {
  expect(promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS');
  expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
});

test.runIf(hasPrometheus)('every alert is silent in normal operation, and fires on its condition', () => {
  expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  const cases = readFileSync(path.join(OPS, 'alerts.test.yml'), 'utf8');
  expect(alerts.length).toBeGreaterThan(15);
  expect(alerts.filter((name) => !cases.includes(`alertname="${name}"`))).toEqual([]);
});

test('every alert links to a heading of the runbook, and its table names every alert', () => {
  const runbook = readFileSync(path.join(ROOT, 'docs', 'runbook.md'), 'utf8');
  const anchors = [...runbook.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const links = [...rules.matchAll(/runbook: docs\/runbook\.md#(\S+)/g)].map(([, anchor = '']) => anchor);
  expect(links).toHaveLength(alerts.length);
  expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  expect([...runbook.matchAll(/^\| `(Accounts\w+)`/gm)].map(([, name]) => name).sort()).toEqual([...alerts].sort());
});

test('the table of the runbook says of each alert whether it wakes somebody', () => {
  const severities = [...rules.matchAll(/- alert: (\w+)\n[\s\S]*?severity: (\w+)/g)].map(([, name, severity]) => [
    name,
    { critical: 'page', warning: 'ticket' }[severity ?? ''],
  ]);
  expect(severities).toHaveLength(alerts.length);
  const runbook = readFileSync(path.join(ROOT, 'docs', 'runbook.md'), 'utf8');
  const rows = [...runbook.matchAll(/^\| `(Accounts\w+)` \| (\w+) \|/gm)].map(([, name, severity]) => [name, severity]);
  expect(rows.sort()).toEqual(severities.sort());
});
