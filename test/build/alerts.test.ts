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

/** The text below each heading of the runbook, by anchor. */
const sections = new Map(
  readFileSync(path.join(ROOT, 'docs', 'runbook.md'), 'utf8')
    .split(/^#+ /m)
    .slice(1)
    .map((section) => [anchorOf(section.split('\n')[0] ?? ''), section]),
);

test('every alert links to the section of the runbook that names it with its severity', () => {
  const linked = [
    ...rules.matchAll(/- alert: (\w+)\n[\s\S]*?severity: (\w+)[\s\S]*?runbook: docs\/runbook\.md#(\S+)/g),
  ].map(([, name, severity = '', anchor = '']) => ({
    name,
    label: `\`${name}\` (${{ critical: 'page', warning: 'ticket' }[severity]})`,
    section: sections.get(anchor),
  }));
  expect(linked.map(({ name }) => name)).toEqual(alerts);
  expect(linked.filter(({ label, section }) => !section?.includes(label))).toEqual([]);
});
