import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { OtlpReceiver } from '../support/otlp-receiver.ts'
import { spawnCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const ON = { OTEL_TRACES_SAMPLER: 'always_on', OTEL_BSP_SCHEDULE_DELAY: '100' }

/** Lets a cloud record which modules it loads. */
async function recordModules(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-modules-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [hook, list] = [join(folder, 'hook.mjs'), join(folder, 'modules')]
  await writeFile(
    hook,
    `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context) } })`,
  )
  return { options: `--import=${pathToFileURL(hook).href}`, loaded: () => readFile(list, 'utf8') }
}

describe('the collector of traces', () => {
  test('without an endpoint, the SDK of OpenTelemetry is not loaded', async (t) => {
    for (const [env, isLoaded] of [
      [{}, false],
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
    ] as const) {
      const { options, loaded } = await recordModules(t)
      const cloud = await spawnCloud(t, { env: { ...env, NODE_OPTIONS: options }, from: 'sources' })
      const modules = await loaded()
      assert.match(modules, /infrastructure\.ts/)
      assert.equal(modules.includes('@opentelemetry/sdk-trace'), isLoaded)
      await cloud.stop()
    }
  })

  test('OBS-26: the bundle sends spans as protobuf, and its log names their traces', async (t) => {
    const collector = await OtlpReceiver.start(t)
    const env = {
      ...ON,
      // That of traces comes before the general one, and its path is used as it is.
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=general',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=traces',
      LOG_LEVEL: 'info',
    }
    const cloud = await spawnCloud(t, { env })
    assert.equal((await cloud.request('GET', '/api/account/me')).status, 401)
    const line = await waitFor('the log line', () =>
      cloud.logged.find(({ route }) => route === '/api/account/me'),
    )
    const traceId = String(line.trace_id)
    assert.match(traceId, /^[0-9a-f]{32}$/)
    await waitFor('the span', () =>
      collector.bodies.some((body) => body.includes(Buffer.from(traceId, 'hex'))),
    )
    assert.deepEqual([...collector.contentTypes], ['application/x-protobuf'])
    assert.deepEqual([...collector.paths], ['/own'])
    assert.deepEqual([...collector.authorizations], ['traces'])
    assert.ok(Buffer.concat(collector.bodies).includes('http.request'))
    await cloud.request('GET', '/healthz')
    const probe = await waitFor('its line', () => cloud.logged.find(({ route }) => route === '/healthz'))
    assert.equal('trace_id' in probe, false)
  })

  test('OBS-27: a collector that is down or does not answer delays neither requests nor the stop', async (t) => {
    const silent = await OtlpReceiver.start(t, true)
    for (const endpoint of ['http://127.0.0.1:9', silent.url]) {
      const cloud = await startCloud(t, {
        env: { ...ON, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, LOG_LEVEL: 'warn' },
      })
      for (let count = 0; count < 400; count += 100)
        await Promise.all(Array.from({ length: 100 }, () => fetch(`${cloud.url}/api/account/me`)))
      if (endpoint !== silent.url)
        await waitFor('the warning', () =>
          cloud.logged.find(({ msg }) => String(msg).startsWith('tracing: spans could')),
        )
      const startedAt = performance.now()
      await cloud.stop()
      assert.ok(performance.now() - startedAt < 10_000)
    }
  })
})
