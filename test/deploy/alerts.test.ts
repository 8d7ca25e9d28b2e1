import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { anchorsOf, readPage } from '../support/pages';
import { isInstalled } from '../support/processes/is-installed';
import { root } from './dockerfile';
import { alertRules, dashboardExpressions, panels, templating } from './metric-names';

/** promtool is part of Debian's package prometheus. Without it these tests are reported as skipped. */
const withPromtool = isInstalled('promtool') ? it : it.skip;
const rulesFile = join(root, 'deploy/prometheus/alerts.yaml');
const casesFile = join(__dirname, 'alert-cases.yaml');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'padron-alerts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const promtool = (...args: readonly string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
const write = (name: string, content: object): string => {
  writeFileSync(join(folder, name), stringify(content));
  return name;
};

describe('the alert rules', () => {
  withPromtool('are valid', () => {
    const { status, stdout, stderr } = promtool('check', 'rules', rulesFile);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`SUCCESS: ${alertRules.length} rules found`);
  });

  withPromtool('fire in each case that they are for, and in no other one', () => {
    const rules = parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: { annotations?: object }[] }[] };
    // promtool would compare the texts too.
    for (const rule of rules.groups.flatMap((group) => group.rules)) delete rule.annotations;
    write('rules.yaml', rules);
    const cases = parse(readFileSync(casesFile, 'utf8')) as object;
    const { status, stderr } = promtool('test', 'rules', write('cases.yaml', { rule_files: ['rules.yaml'], ...cases }));
    expect([status, stderr]).toEqual([0, '']);
  });

  it('have a case each', () => {
    const { tests } = parse(readFileSync(casesFile, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[];
    };
    const firing = tests
      .flatMap((test) => test.alert_rule_test)
      .filter((assertion) => assertion.exp_alerts !== undefined);
    expect([...new Set(firing.map(({ alertname }) => alertname))].sort()).toEqual(
      alertRules.map(({ alert }) => alert).sort(),
    );
  });

  it('name codes that the error reference explains', () => {
    const codes = alertRules.flatMap(({ expr }) => [...expr.matchAll(/code=~?"([^"]+)"/g)]);
    const anchors = anchorsOf(readPage('docs/errors.md'));
    const named = codes.flatMap(([, code = '']) => code.split('|'));
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((code) => !anchors.includes(code.toLowerCase()))).toEqual([]);
  });
});

describe('the dashboard', () => {
  withPromtool('has valid expressions', () => {
    const rules = dashboardExpressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
    const { status, stderr } = promtool(
      'check',
      'rules',
      write('panels.yaml', { groups: [{ name: 'panels', rules }] }),
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(rules.length).toBeGreaterThan(20);
  });

  it('has panels with different ids that do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  it('declares the variables that its expressions use', () => {
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance']);
    expect(dashboardExpressions.filter((expr) => expr.includes('$'))).toEqual([]);
  });
});
