import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppDefinition, WebhookOutcome } from '../session/index.ts'
import { AppStartTraces } from './app-start-traces.ts'
import { createSessionPorts, type SessionPortsDeps } from './session-ports.ts'
import { SessionRecorder } from './session-recorder.ts'

test('NODE-32: a node that loses the ownership while it reads the keys of an app does not call it', async () => {
  const app = { packageName: 'dev.example.app' } as AppDefinition
  const user = { id: 'u1', email: 'ada@example.com' }
  let isOwner = true
  const calls: unknown[] = []
  const reading = Promise.withResolvers<object>()
  const deps = {
    appServers: { webhookTarget: () => reading.promise, recordServerHealth: async () => {} },
    webhooks: {
      post: async (...call: unknown[]) => {
        calls.push(call)
        return { ok: true, status: 200, body: {} }
      },
    },
    streams: { forUser: () => undefined },
    speech: { forSession: () => undefined },
    publicUrl: () => new URL('https://cloud.test'),
    appSocketUrl: () => 'wss://cloud.test/app-ws',
    signal: new AbortController().signal,
    now: () => 0,
    starts: new AppStartTraces(),
  } as unknown as SessionPortsDeps
  const recorder = new SessionRecorder({ record() {}, started() {} }, user.id, 's1')
  const fence = { isOwner: () => isOwner, write: () => assert.fail('nothing is written') }
  const ports = createSessionPorts(deps, user, () => {}, recorder, [], fence)
  const call = () =>
    new Promise<WebhookOutcome>((resolve) =>
      ports.callWebhook(app, { type: 'session_request', sessionId: 's1-a' }, 1_000, resolve),
    )
  const outcome = call()
  isOwner = false
  reading.resolve({})
  assert.equal((await outcome).ok, false)
  assert.equal(calls.length, 0)
  isOwner = true
  assert.equal((await call()).ok, true)
  assert.equal(calls.length, 1)
})

test('LIFE-44: the server of a deleted app is not called when the app stops', async () => {
  const app = { id: 'a1', packageName: 'dev.example.app' } as AppDefinition
  const user = { id: 'u1', email: 'ada@example.com' }
  const deps = {
    apps: { findByPackage: async () => ({ ...app, id: 'registered later' }) },
    appServers: { webhookTarget: () => assert.fail('the server is not called') },
    streams: { forUser: () => undefined },
    speech: { forSession: () => undefined },
    appSocketUrl: () => 'wss://cloud.test/app-ws',
  } as unknown as SessionPortsDeps
  const recorder = new SessionRecorder({ record() {}, started() {} }, user.id, 's1')
  const ports = createSessionPorts(deps, user, () => {}, recorder, [])
  const stop = { type: 'stop_request', sessionId: 's1-a', reason: 'system_stop' } as const
  const outcome = await new Promise<WebhookOutcome>((resolve) => ports.callWebhook(app, stop, 1_000, resolve))
  assert.equal(outcome.ok || outcome.code, 'APP_NOT_FOUND')
})

test('PLAY-13: a path of the cloud is completed, and nothing else', () => {
  const deps = {
    streams: { forUser: () => undefined },
    speech: { forSession: () => undefined },
    appSocketUrl: () => 'wss://cloud.test/app-ws',
    publicUrl: () => new URL('https://cloud.test/base/'),
  } as unknown as SessionPortsDeps
  const user = { id: 'u1', email: 'ada@example.com' }
  const recorder = new SessionRecorder({ record() {}, started() {} }, user.id, 's1')
  const { toPhoneUrl } = createSessionPorts(deps, user, () => {}, recorder, [])
  assert.equal(toPhoneUrl('/api/tts?text=hello+there'), 'https://cloud.test/base/api/tts?text=hello+there')
  for (const address of [
    '//evil.test/a',
    '/\\evil.test/a',
    '\\\\evil.test',
    'api/tts',
    'https://a.test/b',
    '',
  ])
    assert.equal(toPhoneUrl(address), address)
  for (const address of ['/\t/evil.test/a', '/@evil.test/a', '/.evil.test'])
    assert.equal(new URL(toPhoneUrl(address)).host, 'cloud.test')
})
