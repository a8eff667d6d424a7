import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checks, formatReport, type Options, type Result, runChecks } from '@glasses-cloud/conformance'
import { parseXml } from '@rgrove/parse-xml'
import { findFreePort } from '../../src/http/free-port.ts'
import { type ChangingProxy, startChangingProxy } from '../support/changing-proxy.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'

const MAIN = fileURLToPath(import.meta.resolve('@glasses-cloud/conformance/main'))

interface Finished {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Runs the command line program. */
async function runProgram(...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: inheritedEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (errors += data))
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

describe('the conformance kit', () => {
  const scope = suiteScope()
  let proxy: ChangingProxy
  let cloud: TestCloud
  let app: { packageName: string; apiKey: string; url: string; port: number }
  let folder: string
  let users = 0

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-'))
    proxy = await startChangingProxy(scope)
    cloud = await spawnCloud(scope, {
      env: { PUBLIC_URL: proxy.url, REST_LIMIT_PER_MINUTE: '100' },
    })
    proxy.target = cloud.localUrl
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const { packageName, apiKey } = await cloud.registerApp({
      packageName: 'dev.example.conformance',
      publicUrl: url,
      webviewURL: `${url}/webview`,
      permissions: [{ type: 'MICROPHONE' }, { type: 'CAMERA' }],
    })
    app = { packageName, apiKey, url, port }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  /** A user for one run, because a run may use up the rate limit. */
  async function newUser(): Promise<{ email: string; token: string }> {
    users += 1
    const email = `conformance-${users}@example.com`
    return { email, token: await cloud.token(email) }
  }

  async function runAgainst(change: ChangingProxy['change'], only: string[]): Promise<Result[]> {
    proxy.change = change
    try {
      const options: Options = {
        url: proxy.url,
        token: (await newUser()).token,
        app,
        lasting: false,
        only,
        deadlineMs: 20_000,
        maxAckMs: 2_000,
        format: 'text',
        output: undefined,
      }
      return await runChecks(checks, options)
    } finally {
      proxy.change = {}
    }
  }

  const failed = (results: readonly Result[]) =>
    results.filter(({ status }) => status === 'failed').map(({ check }) => check.id)

  test('every check passes against this cloud and restores what it changes', async () => {
    const { token } = await newUser()
    const account = async () => {
      const me = await cloud.request('GET', '/api/account/me', { token })
      const privacy = await cloud.request('GET', '/api/account/privacy', { token })
      const installed = await cloud.request('GET', '/api/apps/installed', { token })
      return [me.body, privacy.body, installed.body]
    }
    const before = await account()
    const output = join(folder, 'report.json')
    const appArgs = ['--app-package', app.packageName, '--app-key', app.apiKey, '--app-url', app.url]
    const target = ['--url', proxy.url, '--token', token]
    const { code, errors } = await runProgram(...target, ...appArgs, '--format', 'json', '--output', output)
    const report = JSON.parse(await readFile(output, 'utf8'))
    const unmet = report.checks.filter(({ status }: { status: string }) => status !== 'passed')
    assert.deepEqual(
      unmet.map(({ id, status }: { id: string; status: string }) => [id, status]),
      [
        ['account.export', 'skipped'],
        ['limits.requests', 'skipped'],
      ],
      JSON.stringify(unmet),
    )
    assert.equal(code, 0, errors)
    assert.equal(report.checks.length, checks.length)
    assert.deepEqual(await account(), before)
  })

  test('the checks that leave something pass as well', async () => {
    const { token } = await newUser()
    const only = ['--only', 'account.export', '--only', 'limits.requests']
    const { code, output } = await runProgram('--url', proxy.url, '--token', token, '--lasting', ...only)
    assert.equal(code, 0, output)
    assert.match(output, /3 passed, 0 failed, 0 skipped/)
  })

  test('a deviation fails the check that names it, and no other', async () => {
    const deviations: readonly [only: string, expected: string[], change: ChangingProxy['change']][] = [
      [
        'catalogue.',
        ['catalogue.unknown-app'],
        {
          response: (passing) => {
            if (passing.path === '/api/apps/conformance.no-such-app') passing.status = 500
          },
        },
      ],
      [
        'account.me',
        ['account.me'],
        {
          response: ({ path, body }) => {
            if (path === '/api/account/me') delete (body as Record<string, unknown>).createdAt
          },
        },
      ],
      [
        'glasses.',
        ['glasses.malformed'],
        {
          frame: (message) =>
            message.type === 'connection_error' ? { ...message, type: 'conformance_error' } : message,
        },
      ],
      [
        'glasses.acknowledgement',
        ['glasses.acknowledgement-time'],
        {
          frame: async (message) => {
            if (message.type === 'connection_ack') await delay(2_200)
            return message
          },
        },
      ],
      [
        'dialect.',
        ['dialect.first-message', 'dialect.glasses-envelope', 'dialect.query', 'dialect.subprotocol'],
        {
          frame: ({ data, ...message }) =>
            typeof data === 'object' ? { ...data, ...message } : { ...message },
        },
      ],
    ]
    for (const [only, expected, change] of deviations)
      assert.deepEqual(failed(await runAgainst(change, [only])), expected, only)
  })

  test('a check that exceeds its deadline fails, and the run continues', async () => {
    const results = await runChecks(
      [
        { id: 'test.hangs', title: '', source: '', run: () => new Promise(() => {}) },
        { id: 'test.passes', title: '', source: '', run: async () => {} },
      ],
      {
        url: proxy.url,
        token: '',
        app: undefined,
        lasting: false,
        only: [],
        deadlineMs: 50,
        maxAckMs: 1,
        format: 'text',
        output: undefined,
      },
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      ['failed', 'passed'],
    )
    assert.match(results[0]?.reason ?? '', /did not end within 0.05 s/)
  })

  test('the exit code is 1 if a check failed, and 2 if the kit cannot run', async () => {
    const { token } = await newUser()
    proxy.change = {
      response: (passing) => {
        passing.status = 418
      },
    }
    const target = ['--url', proxy.url, '--token', token]
    const failing = await runProgram(...target, '--only', 'catalogue.version')
    proxy.change = {}
    assert.equal(failing.code, 1)
    assert.match(failing.output, /✖ catalogue\.version[\s\S]*expected status 200, received 418/)
    assert.equal((await runProgram(...target, '--only', 'catalogue.version')).code, 0)
    for (const args of [
      ['--url', proxy.url],
      [...target, '--format', 'yaml'],
      [...target, '--app-key', 'key'],
      [...target, '--only', 'nothing'],
      ['--url', `http://127.0.0.1:${await findFreePort()}`, '--token', token],
    ]) {
      const { code, output, errors } = await runProgram(...args)
      assert.deepEqual([code, output], [2, ''], args.join(' '))
      assert.notEqual(errors, '')
    }
  })

  test('a report is text, JSON or JUnit, with the same results', () => {
    const check = { id: 'group.name', title: 'Says "a < b"', source: 'Section 1' }
    const results: Result[] = [
      { check, status: 'passed', durationMs: 1 },
      { check, status: 'failed', reason: 'a & b', durationMs: 2 },
      { check, status: 'skipped', reason: 'no app', durationMs: 0 },
    ]
    const run = { url: 'https://cloud', startedAt: '2026-01-01T00:00:00.000Z', results }
    assert.match(formatReport(run, 'text'), /1 passed, 1 failed, 1 skipped/)
    const json = JSON.parse(formatReport(run, 'json'))
    assert.deepEqual(json.summary, { passed: 1, failed: 1, skipped: 1 })
    const xml = parseXml(formatReport(run, 'junit'))
    assert.deepEqual(xml.root?.attributes.tests, '3')
    const failure = JSON.stringify(xml.toJSON())
    assert.match(failure, /"message":"a & b"/)
    assert.match(failure, /no app/)
  })
})
