import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { onPostgres } from '../../src/db/testing.ts'
import { Metrics } from '../../src/http/metrics.ts'
import { WorkerMetrics, WorkerPool } from '../../src/jobs/index.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { startAppServer } from '../support/app-server.ts'
import { certificateFolder, testCertificate } from '../support/certificates.ts'
import { startNodes } from '../support/cluster.ts'
import { redisMissing } from '../support/redis.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'
import { boardQueries, readBoard, readRules } from './monitoring-files.ts'
import { prometheusMissing } from './prometheus-process.ts'
import { isSelected, parseMetrics, parsePromQl, type Series, TARGET_LABELS } from './promql.ts'

const APP = 'dev.example.monitored'

/** Metrics that Prometheus makes itself. */
const OF_PROMETHEUS = new Set(['up', 'ALERTS'])

/** Metrics of nodes of a cluster, and of PostgreSQL. */
const OF_CLUSTERS = /^(?:cluster_|redis_|relayed_|database_pool_connections$)/

/** Metrics of prom-client, whose names do not follow the conventions. */
const MISNAMED = /^nodejs_active_(?:handles|requests|resources)_total /

/** Everything that the rules and the board refer to, with the label names they need. */
function references() {
  const rules = readRules()
  const recorded = new Set(rules.map(({ record }) => record))
  const queries = [...rules.map(({ expr }) => ({ expr, legend: '' })), ...boardQueries(readBoard())]
  return queries.flatMap(({ expr, legend }) => {
    const { selectors, grouping } = parsePromQl(expr)
    const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    return selectors
      .filter(({ metric }) => !OF_PROMETHEUS.has(metric) && !recorded.has(metric))
      .map((selector) => ({
        expr,
        // The status of a response depends on what happened; which labels there are, does not.
        selector: { ...selector, matchers: selector.matchers.filter(({ label }) => label !== 'status') },
        labels: [...grouping, ...shown, ...selector.matchers.map(({ label }) => label)],
      }))
  })
}

/** Finds what is referred to and does not exist. */
function findMissing(series: readonly Series[], isExpected: (metric: string) => boolean): string[] {
  return references()
    .filter(({ selector }) => isExpected(selector.metric))
    .flatMap(({ expr, selector, labels }) => {
      const selected = series.filter((one) => isSelected(selector, one))
      if (selected.length === 0) return [`${selector.metric} has no such series: ${expr}`]
      const names = new Set(selected.flatMap((one) => [...one.labels.keys()]))
      return labels
        .filter((label) => !names.has(label) && !TARGET_LABELS.has(label))
        .filter((label) => !isOfAnother(series, label, expr))
        .map((label) => `${selector.metric} has no label ${label}: ${expr}`)
    })
}

/** A label of an expression may belong to another metric in it. */
function isOfAnother(series: readonly Series[], label: string, expr: string): boolean {
  const metrics = new Set(parsePromQl(expr).selectors.map(({ metric }) => metric))
  return metrics.size > 1 && series.some((one) => metrics.has(one.metric) && one.labels.has(label))
}

async function metricsOf(cloud: LocalCloud): Promise<string> {
  const { body } = await cloud.request<string>('GET', '/metrics')
  return body
}

/** Metrics of a certificate and of scheduled backups. */
const OF_OPERATION = /^(?:tls_|backup_)/

const SPEECH = { STT_PROVIDERS: 'vosk', VOSK_URL: 'ws://127.0.0.1:9' }

/** A user with an app, and a request that failed. */
async function causeTraffic(scope: Scope, cloud: LocalCloud): Promise<void> {
  const server = await startAppServer(scope, APP)
  const { apiKey } = await cloud.registerApp({ packageName: APP, publicUrl: server.url })
  server.apiKey = apiKey
  const token = await cloud.token('wearer@example.com')
  const glasses = await SocketClient.open(scope, `${cloud.wsUrl}/glasses-ws`, bearer(token))
  await glasses.next('connection_ack')
  await cloud.request('POST', `/api/apps/install/${APP}`, { token })
  const { status } = await cloud.request('POST', `/api/apps/${APP}/start`, { token })
  assert.equal(status, 200)
  await assert.rejects(SocketClient.open(scope, `${cloud.wsUrl}/glasses-ws`, bearer('none')))
  await cloud.request('GET', '/api/account/me')
}

describe('metrics of one node', () => {
  const scope = suiteScope()
  let cloud: LocalCloud

  before(async () => {
    cloud = await startCloud(scope, { env: SPEECH })
    await causeTraffic(scope, cloud)
  })

  test('a cloud without a cluster has every metric that rules and board use', async () => {
    const series = parseMetrics(await metricsOf(cloud))
    assert.deepEqual(
      findMissing(series, (metric) => !OF_CLUSTERS.test(metric) && !OF_OPERATION.test(metric)),
      [],
    )
  })

  test('promtool accepts the format of the metrics', { skip: prometheusMissing }, async () => {
    const promtool = spawn('promtool', ['check', 'metrics'])
    const problems = text(promtool.stderr)
    promtool.stdin.end(await metricsOf(cloud))
    await once(promtool, 'exit')
    const lines = (await problems).split('\n').filter((line) => line !== '')
    assert.deepEqual(
      lines.filter((line) => !MISNAMED.test(line)),
      [],
    )
  })

  test('OBS-7: readiness, queries, calls of app servers and rejected handshakes are counted', async () => {
    const metrics = await metricsOf(cloud)
    const valueIn = (series: string) => {
      const line = metrics.split('\n').find((one) => one.startsWith(`${series} `))
      return Number(line?.slice(series.length))
    }
    assert.equal(valueIn('cloud_ready'), 1)
    assert.equal(valueIn('cloud_check_ok{check="database"}'), 1)
    assert.match(metrics, /^cloud_info\{version="[^"]+",database="sqlite"\} 1$/m)
    assert.equal(valueIn('webhook_calls_total{kind="start",result="ok"}'), 1)
    assert.equal(valueIn('webhook_duration_seconds_count{kind="start"}'), 1)
    assert.equal(valueIn('socket_handshakes_rejected_total{code="INVALID_TOKEN"}'), 1)
    assert.equal(valueIn('user_sessions'), 1)
    assert.ok(valueIn('database_query_duration_seconds_count') > 10)
    assert.ok(valueIn('nodejs_eventloop_active_seconds_total') > 0)
    assert.ok(valueIn('process_memory_limit_bytes') > valueIn('process_resident_memory_bytes'))
  })
})

describe('metrics of a certificate, of backups and of jobs', () => {
  test('OBS-8: what rules and board use, with HTTPS and scheduled backups', async (t) => {
    const folder = await certificateFolder(t, await testCertificate())
    const backups = await mkdtemp(join(tmpdir(), 'glasses-cloud-backups-'))
    t.after(() => rm(backups, { recursive: true, force: true }))
    const cloud = await startCloud(t, {
      env: { ...folder.env, BACKUP_TO: backups, BACKUP_EVERY: '30m' },
    })
    const metrics = await metricsOf(cloud)
    assert.deepEqual(
      findMissing(parseMetrics(metrics), (metric) => OF_OPERATION.test(metric)),
      [],
    )
    assert.match(metrics, /^backup_interval_seconds 1800$/m)
  })

  test('OBS-8: failed runs of background jobs are counted, from 0', async (t) => {
    const clock = new VirtualClock(Date.now())
    const cloud = await startCloud(t, { overrides: { clock } })
    const failures = async (feature: string) =>
      Number(
        new RegExp(`^jobs_failed_total\\{feature="${feature}"\\} (\\d+)$`, 'm').exec(
          await metricsOf(cloud),
        )?.[1],
      )
    const features = ['gallery', 'personal-data', 'change-log', 'auth']
    assert.deepEqual(await Promise.all(features.map(failures)), [0, 0, 0, 0])
    await cloud.cloud.db.schema.dropTable('exports').execute()
    await waitFor('a failed run', async () => {
      clock.advance(60_000)
      return (await failures('personal-data')) > 0
    })
    assert.equal(await failures('change-log'), 0)
  })
})

describe('metrics of worker threads', () => {
  test('OBS-9: queues, workers and jobs of each pool', async (t) => {
    const pool = new WorkerPool<string, string>({
      startWorker: () =>
        new Worker(
          `require('node:worker_threads').parentPort.on('message', (message) => {
            if (message === 'fail') throw new Error('failed')
            if (message !== 'wait') require('node:worker_threads').parentPort.postMessage(message)
          })`,
          { eval: true, env: {} },
        ),
      maxWorkers: 1,
      jobTimeoutMs: 60_000,
      idleTimeoutMs: 60_000,
    })
    t.after(() => pool.close())
    const metrics = new Metrics()
    new WorkerMetrics(metrics).add('flite', pool)
    const { signal } = new AbortController()
    await pool.run('done', signal)
    await assert.rejects(pool.run('fail', signal))
    const stopped = Promise.all(['wait', 'later'].map((message) => assert.rejects(pool.run(message, signal))))
    const text = await metrics.text()
    for (const line of [
      'worker_jobs_waiting{pool="flite"} 1',
      'worker_threads{pool="flite"} 1',
      'worker_threads_busy{pool="flite"} 1',
      'worker_job_duration_seconds_count{pool="flite"} 2',
      'worker_jobs_failed_total{pool="flite"} 1',
      'worker_jobs_failed_total{pool="passwords"} 0',
    ])
      assert.ok(text.includes(`${line}\n`), `${line} is missing: ${text.match(/^worker_.*$/gm)?.join('\n')}`)
    await pool.close()
    await stopped
  })

  test('OBS-9: a cloud measures its pools', async (t) => {
    const cloud = await startCloud(t, { overrides: { passwordPolicy: undefined } })
    await cloud.request('GET', '/api/tts?text=Hello')
    const metrics = await metricsOf(cloud)
    assert.match(metrics, /^worker_job_duration_seconds_count\{pool="flite"\} 1$/m)
    assert.match(metrics, /^worker_threads_busy\{pool="passwords"\} 0$/m)
  })
})

describe('metrics of three nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    test('each node of a cluster has every metric that rules and board use', async (t) => {
      const nodes = await startNodes(t, database, ['a', 'b', 'c'], { env: SPEECH })
      const [first] = nodes
      await causeTraffic(t, first)
      for (const node of nodes) {
        await node.request('GET', '/api/account/me')
        const series = parseMetrics(await metricsOf(node))
        assert.deepEqual(
          findMissing(series, (metric) => !OF_OPERATION.test(metric)),
          [],
        )
      }
      const pool = parseMetrics(await metricsOf(first)).filter(
        ({ metric }) => metric === 'database_pool_connections',
      )
      assert.deepEqual(
        pool.map(({ labels }) => labels.get('state')),
        ['busy', 'idle'],
      )
    })
  })
})
