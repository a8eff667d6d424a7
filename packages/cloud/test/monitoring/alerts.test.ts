import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { ALERT_CASES, HEALTHY } from './alert-cases.ts'
import { MONITORING_FOLDER, readRules } from './monitoring-files.ts'
import { prometheusMissing } from './prometheus-process.ts'

const run = promisify(execFile)
const RULES_FILE = join(MONITORING_FOLDER, 'alerts.yml')
const alerts = readRules().filter(({ alert }) => alert !== undefined)

const INSTANCES = ['node-1', 'node-2']

/** When the alerts are evaluated: shortly before the end of the series, after the longest `for`. */
const EVALUATED_AT = '75m'

/** Returns the name of a series with the labels of a node, in any order. */
function seriesOf(name: string, instance: string): string {
  const { metric, labels = '' } = /^(?<metric>\w+)(?:\{(?<labels>.*)\})?$/.exec(name)?.groups ?? {}
  return `${metric}{${[labels, 'job="glasses-cloud"', `instance="${instance}"`].filter(Boolean).join(', ')}}`
}

/** A unit test of promtool: what is different from a healthy cloud, and which alerts fire then. */
function unitTest(
  name: string,
  expected: readonly string[],
  overrides: ReadonlyMap<string, string | undefined>,
) {
  const names = Object.keys(HEALTHY)
  const series = INSTANCES.flatMap((instance) => {
    const all = new Map(names.map((given) => [seriesOf(given, instance), HEALTHY[given]]))
    for (const [given, values] of overrides) if (given.includes(`"${instance}"`)) all.set(given, values)
    return [...all]
  })
  return {
    name,
    interval: '1m',
    input_series: series.flatMap(([series, values]) => (values === undefined ? [] : [{ series, values }])),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: EVALUATED_AT,
        exp_samples: [],
      },
    ].map(({ expr, eval_time }) => ({
      expr: `${expr} > bool 0`,
      eval_time,
      exp_samples: [...expected]
        .sort()
        .map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    })),
  }
}

function caseOf(alert: string) {
  const found = ALERT_CASES[alert]
  assert.ok(found, `${alert} has no case`)
  const { series, isOfAll = false, also = [] } = found
  const overrides = new Map(
    (isOfAll ? INSTANCES : INSTANCES.slice(0, 1)).flatMap((instance) =>
      Object.entries(series).map(([name, values]) => [seriesOf(name, instance), values] as const),
    ),
  )
  return unitTest(alert, [alert, ...also], overrides)
}

async function promtool(t: TestContext, tests: readonly object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-alerts-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'test.yml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [RULES_FILE], evaluation_interval: '5m', tests }))
  await run('promtool', ['test', 'rules', file]).catch(({ stdout, stderr }) =>
    assert.fail(`${stdout}${stderr}`),
  )
}

describe('alert rules', () => {
  test('each alert has a severity, a summary, and a section of docs/monitoring.md', async () => {
    const page = await readFile(join(MONITORING_FOLDER, '../../docs/monitoring.md'), 'utf8')
    const headings = [...page.matchAll(/^### (GlassesCloud\w+)$/gm)].map(([, name]) => name)
    assert.deepEqual(
      headings,
      alerts.map(({ alert }) => alert),
    )
    for (const { alert = '', labels, annotations } of alerts) {
      assert.match(String(labels?.severity), /^(critical|warning)$/, alert)
      assert.ok(annotations?.summary, alert)
      assert.equal(annotations.runbook_url, `{{ $externalLabels.docs }}monitoring.md#${alert.toLowerCase()}`)
    }
  })

  test('every alert has a case in which it fires', () => {
    assert.deepEqual(
      Object.keys(ALERT_CASES),
      alerts.map(({ alert }) => alert),
    )
  })

  test('each alert fires where its part is broken, and none for a healthy cloud', {
    skip: prometheusMissing,
  }, async (t) => {
    await promtool(t, [unitTest('healthy', [], new Map()), ...alerts.map(({ alert = '' }) => caseOf(alert))])
  })

  test('Prometheus accepts the rules and the scrape configuration', {
    skip: prometheusMissing,
  }, async (t) => {
    await run('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', RULES_FILE])
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-prometheus-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const config = await readFile(join(MONITORING_FOLDER, 'prometheus.yml'), 'utf8')
    // promtool reads the files that the configuration names.
    await writeFile(join(folder, 'prometheus.yml'), config.replaceAll('/etc/prometheus/', `${folder}/`))
    await writeFile(join(folder, 'alerts.yml'), await readFile(RULES_FILE))
    for (const name of ['glasses-cloud-ca.pem', 'glasses-cloud-token'])
      await writeFile(join(folder, name), '')
    await run('promtool', ['check', 'config', join(folder, 'prometheus.yml')]).catch(({ stdout, stderr }) =>
      assert.fail(`${stdout}${stderr}`),
    )
  })
})
