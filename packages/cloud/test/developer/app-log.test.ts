import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AppLogEntry } from '@glasses-cloud/contract'
import { Glasses } from '@glasses-cloud/phone'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { startAppServer } from '../support/app-server.ts'
import { createDeveloper, type Developer, newPackageName } from '../support/developer.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** An app with a server, its developer, and a function that starts it for a user. */
async function createApp(t: Scope, cloud: LocalCloud) {
  const developer = await createDeveloper(cloud, 'ada')
  const packageName = newPackageName()
  const server = await startAppServer(t, packageName)
  server.apiKey = await developer.create(packageName, { publicUrl: server.url, appStoreStatus: 'PUBLISHED' })
  const start = async (user: Developer) => {
    const glasses = new Glasses({ url: cloud.url, token: user.token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    return cloud.request('POST', `/api/apps/${packageName}/start`, { token: user.token })
  }
  const log = async () => {
    const { body } = await developer.call('GET', `/apps/${packageName}/logs`)
    return body.data as unknown as AppLogEntry[]
  }
  return { developer, packageName, server, start, log, path: `/apps/${packageName}` }
}

const summary = ({ kind, event, status, code, attempt, stage, level }: AppLogEntry) =>
  [level, kind, event, attempt, stage, status, code].filter((part) => part !== undefined).join(' ')

/** Reads the events of a log as they arrive. */
async function follow(
  t: Scope,
  cloud: LocalCloud,
  { token }: Pick<Developer, 'token'>,
  path: string,
  lastEventId?: string,
) {
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const response = await fetch(`${cloud.url}/api/console${path}/logs/stream`, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: leaving.signal,
  })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.ok(reader)
  let text = ''
  return {
    /** Waits for an entry that matches. */
    async entry(matches: (entry: AppLogEntry) => boolean): Promise<AppLogEntry> {
      const find = async () => {
        for (;;) {
          const entries = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(String(json)))
          const found = entries.find(matches)
          if (found) return found as AppLogEntry
          const { value, done } = await reader.read()
          if (done) throw new Error(`the stream ended: ${text}`)
          text += value
        }
      }
      return withTimeout(20_000, find(), () => `no entry matched in ${text}`)
    },
    /** Waits for the end of the stream. */
    async end(): Promise<string> {
      const drain = async () => {
        for (;;) {
          const { value, done } = await reader.read()
          if (done) return text
          text += value
        }
      }
      return withTimeout(20_000, drain(), 'the stream did not end')
    },
  }
}

describe('log and use of apps', () => {
  const scope = suiteScope()
  let cloud: LocalCloud

  before(async () => {
    cloud = await startCloud(scope)
  })

  test('WAKE-1: a subscription to wake words without a phrase, and phrases that a developer declares later', async (t) => {
    const { developer, packageName, server, start, path } = await createApp(t, cloud)
    const change = (manifest: object) => developer.call('PATCH', path, manifest)
    assert.equal((await change({ permissions: [{ type: 'MICROPHONE' }] })).status, 200)
    const stream = await follow(t, cloud, developer, path)
    assert.equal((await start(developer)).status, 200)
    server.sockets[0]?.send(
      JSON.stringify({ type: 'subscription_update', packageName, subscriptions: ['wake_word'] }),
    )
    const { level, event, message } = await stream.entry(({ kind }) => kind === 'wake_word')
    const expected = 'The app subscribes to wake_word, and its manifest has no wakeWords'
    assert.deepEqual([level, event, message], ['info', 'unavailable', expected])
    const wakeWords = [{ phrase: 'hey app' }, { phrase: 'hallo', language: 'de-DE' }]
    const { body } = await change({ wakeWords })
    assert.deepEqual(body.data.wakeWords, wakeWords)
    const rejected = await change({ wakeWords: [{ phrase: 'hey 2' }] })
    assert.equal(rejected.status, 400)
    assert.match(String(rejected.body.message), /wakeWords\[0\]\.phrase must have letters only/)
    const unchanged = await developer.call('GET', path)
    assert.deepEqual(unchanged.body.data.wakeWords, wakeWords)
  })

  test('ALOG-1 ALOG-2: a start, errors and the end of a session are recorded without personal data', async (t) => {
    const { developer, packageName, server, start, log } = await createApp(t, cloud)
    const user = await createDeveloper(cloud, 'bob')
    server.behavior = 404
    assert.equal((await start(user)).status, 500)
    server.behavior = 'connect'
    assert.equal((await start(user)).status, 200)
    const [socket] = server.sockets
    const rejected = new Promise((resolve) => socket?.once('message', resolve))
    socket?.send(JSON.stringify({ type: 'no_such_type', secret: 'what the user said' }))
    await rejected
    const stream = await follow(t, cloud, developer, `/apps/${packageName}`)
    await cloud.request('POST', `/api/apps/${packageName}/stop`, { token: user.token })
    await stream.entry(({ kind, event }) => kind === 'socket' && event === 'closed')
    const entries = (await log()).toReversed()
    const expected = [
      'info start requested',
      'error webhook session_request 1 404 REFUSED_404',
      'error start failed WEBHOOK REFUSED_404',
      'info start requested',
      'info socket opened',
      'info webhook session_request 1 200',
      'info start running',
      'error rejected UNKNOWN_MESSAGE_TYPE',
      'info webhook stop_request 1 200',
      'info start stopped',
    ]
    const summaries = entries.map(summary)
    for (const one of expected)
      assert.ok(summaries.includes(one), `${one} is missing:\n${summaries.join('\n')}`)
    assert.ok(summaries.some((one) => /^info socket closed \d+$/.test(one)))
    const sessions = new Set(entries.map(({ session }) => session))
    assert.equal(sessions.size, 1)
    const text = JSON.stringify(entries)
    for (const secret of [user.email, user.id, 'what the user said']) assert.ok(!text.includes(secret))
  })

  /** Ends the login and the personal token of two streams, and waits for their end; another stream remains open. */
  async function endCredentials(t: Scope): Promise<void> {
    const { developer, packageName, path } = await createApp(t, cloud)
    const { logins, loginTokens, personalTokens, users } = cloud.cloud
    const user = await users.findById(developer.id)
    assert.ok(user)
    const login = await logins.create(user.id, {}, Date.now())
    const { coreToken } = await loginTokens.issue(user, login.id)
    const expiresAt = Date.now() + DAY_MS
    const scopes = ['apps:read'] as const
    const personal = await personalTokens.create({ userId: user.id, name: 'ci', scopes, expiresAt })
    assert.ok(personal)
    const kept = await follow(t, cloud, developer, path)
    const ofLogin = await follow(t, cloud, { token: coreToken }, path)
    const ofToken = await follow(t, cloud, personal, path)
    await logins.remove(user.id, login.id)
    await personalTokens.remove(user.id, personal.id)
    await Promise.all([ofLogin.end(), ofToken.end()])
    const last = { level: 'info', kind: 'socket', event: 'last' } as const
    cloud.cloud.features.appLog.recorder.record(packageName, last)
    await kept.entry(({ event }) => event === 'last')
  }

  test('ALOG-4: a stream sends each entry once, continues where it ended, and ends without access', async (t) => {
    const { developer, packageName, server, start, path } = await createApp(t, cloud)
    const user = await createDeveloper(cloud, 'bob')
    const stream = await follow(t, cloud, developer, path)
    assert.equal((await start(user)).status, 200)
    const running = await stream.entry(({ event }) => event === 'running')
    const resumed = await follow(t, cloud, developer, path, running.id)
    server.sockets[0]?.terminate()
    const closed = await resumed.entry(({ event }) => event === 'closed')
    assert.ok(closed.id > running.id)
    await cloud.operator.users.setSuspended(developer.id, Date.now(), Date.now())
    const [texts, resumedText] = await Promise.all([stream.end(), resumed.end(), endCredentials(t)])
    const ids = [...texts.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.includes(running.id))
    assert.ok(!resumedText.includes(running.id))
    const eve = await createDeveloper(cloud, 'eve')
    for (const rest of ['/logs', '/logs/stream', '/usage'])
      assert.equal((await eve.call('GET', `/apps/${packageName}${rest}`)).status, 404)
  })

  test('ALOG-4: a user has at most 20 streams, others are not affected', async (t) => {
    const [ada, bob] = [await createApp(t, cloud), await createApp(t, cloud)]
    for (let count = 0; count < 20; count += 1) await follow(t, cloud, ada.developer, ada.path)
    const statusOf = async ({ developer, path }: typeof ada) =>
      (await developer.call('GET', `${path}/logs/stream?seconds=0`)).status
    assert.deepEqual([await statusOf(ada), await statusOf(bob)], [503, 200])
  })

  test('ALOG-5 ALOG-7: users, sessions and errors are counted by day, beside what happened to the app', async (t) => {
    const { developer, start, path, packageName, server } = await createApp(t, cloud)
    const [bob, cleo] = [await createDeveloper(cloud, 'bob'), await createDeveloper(cloud, 'cleo')]
    await start(bob)
    await cloud.request('POST', `/api/apps/${packageName}/stop`, { token: bob.token })
    await start(bob)
    await start(cleo)
    server.behavior = 500
    await cloud.request('POST', `/api/apps/${packageName}/stop`, { token: cleo.token })
    assert.equal((await start(cleo)).status, 500)
    await cloud.request('POST', `/api/apps/install/${packageName}`, { token: cleo.token })
    const { body } = await developer.call('GET', `${path}/usage?days=7`)
    const { installs, days, events } = body.data as unknown as {
      installs: number
      events: { at: string; kind: string }[]
      days: { date: string; users: number; sessions: number; errors: number }[]
    }
    assert.deepEqual([installs, days.length], [1, 7])
    assert.ok(
      events.some(({ kind, at }) => kind === 'key_made' && Math.abs(Date.parse(at) - Date.now()) < 600_000),
    )
    assert.ok(events.some(({ kind }) => kind === 'published'))
    const today = days.at(-1)
    assert.equal(today?.date, new Date().toISOString().slice(0, 10))
    assert.deepEqual([today?.users, today?.sessions], [2, 3])
    assert.ok((today?.errors ?? 0) >= 2)
    assert.deepEqual(days[0], { ...days[0], users: 0, sessions: 0, errors: 0 })
    assert.equal((await developer.call('GET', `${path}/usage?days=91`)).status, 400)
  })

  test('ALOG-3: entries are limited, survive a restart and are deleted after a day', async (t) => {
    const clock = new VirtualClock(Date.now())
    const folder = await startCloud(t, { overrides: { clock } })
    const developer = await createDeveloper(folder, 'ada')
    const packageName = newPackageName()
    await developer.create(packageName)
    const { recorder } = folder.cloud.features.appLog
    for (let index = 0; index < 100; index += 1)
      recorder.record(packageName, {
        level: 'info',
        kind: 'socket',
        event: 'opened',
        message: 'x'.repeat(9_999),
      })
    const read = async (cloud: LocalCloud) => {
      const token = developer.token
      const path = `/api/console/apps/${packageName}/logs`
      return (await cloud.request<{ data: AppLogEntry[] }>('GET', path, { token })).body.data
    }
    const entries = await read(folder)
    assert.equal(entries.length, 21)
    assert.deepEqual([entries[0]?.kind, entries[0]?.count], ['dropped', 80])
    assert.equal(entries[1]?.message?.length, 500)
    recorder.record(packageName, { level: 'info', kind: 'socket', event: 'last' })
    await folder.stop()
    const restarted = await startCloud(t, { env: folder.env, overrides: { clock } })
    assert.equal((await read(restarted))[0]?.event, 'last')
    clock.advance(DAY_MS + 1)
    await restarted.cloud.features.appLog.sweep()
    assert.deepEqual(await read(restarted), [])
  })
})
