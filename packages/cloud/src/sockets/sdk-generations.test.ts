import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MultipartForm, WebhookResponse } from '../webhooks/index.ts'
import { SdkGenerations } from './sdk-generations.ts'

const MINUTE_MS = 60_000
const packageName = 'org.example.app'
const refused = (status: number, body?: unknown): WebhookResponse => {
  const retryable = status >= 500
  return { ok: false, code: `REFUSED_${status}`, message: '', retryable, status, body }
}
const ok = (body: unknown): WebhookResponse => ({ ok: true, status: 200, body })
const unreachable: WebhookResponse = { ok: false, code: 'TIMEOUT', message: '', retryable: true }
const healthy = ok({ status: 'healthy', app: packageName, activeSessions: 0 })
const tool = ok({ status: 'success', reply: 'Hello, world!' })
const noSession = refused(404, { error: 'No active session found for this photo request' })
const noRequest = refused(404, { error: 'No pending request found for this photo (may have …)' })

/** An app server with these responses, and the generations that asks it. */
function setUp(responses: Record<string, WebhookResponse>) {
  const asked: string[] = []
  const forms: string[] = []
  let now = 0
  const answer = (path: string) => {
    asked.push(path)
    return responses[path] ?? refused(404)
  }
  const app = { packageName, publicUrl: 'http://app.example.org' }
  const deps = {
    apps: { findByPackage: async () => app },
    appServers: { webhookTarget: async () => ({ publicUrl: app.publicUrl, signingKeys: [] }) },
    webhooks: {
      get: async (_target: unknown, path: string) => answer(path),
      postForm: async (_target: unknown, path: string, form: MultipartForm) => {
        for await (const bytes of form.bytes()) forms.push(Buffer.from(bytes).toString())
        return answer(path)
      },
    },
    monotonicNow: () => now,
  }
  const sdks = new SdkGenerations(deps as never)
  const pass = (ms: number) => {
    now += ms
  }
  return { sdks, asked, forms, pass, responses }
}

test('CMP-2: a server is recognized by its health check and by its answer about a photo', async () => {
  const cases: [responses: Record<string, WebhookResponse>, generation: string][] = [
    [{ '/health': healthy }, 'first'],
    [{ '/health': healthy, '/photo-upload': noSession }, 'second'],
    [{ '/health': healthy, '/photo-upload': noRequest }, 'current'],
    [{ '/tool': tool, '/photo-upload': noSession }, 'second'],
    [{ '/health': ok({ status: 'healthy', app: 'org.example.another' }) }, 'other'],
    [{ '/tool': ok({ status: 'success', reply: 'Hi' }) }, 'other'],
    [{ '/health': unreachable }, 'current'],
    [{ '/health': refused(502) }, 'current'],
    [{ '/tool': unreachable }, 'current'],
    [{ '/health': healthy, '/photo-upload': unreachable }, 'current'],
  ]
  for (const [responses, generation] of cases)
    assert.equal(
      await setUp(responses).sdks.of(packageName, undefined),
      generation,
      JSON.stringify(responses),
    )
})

test('CMP-2: a server is asked again after an hour, a day or a minute, depending on its answer', async () => {
  for (const [responses, minutes] of [
    [{ '/health': healthy, '/photo-upload': noSession }, 60],
    [{ '/health': healthy, '/photo-upload': noRequest }, 24 * 60],
    [{ '/health': unreachable }, 1],
  ] as const) {
    const { sdks, asked, pass } = setUp(responses)
    await sdks.of(packageName, undefined)
    const before = asked.length
    pass(minutes * MINUTE_MS - 1)
    await sdks.of(packageName, undefined)
    assert.equal(asked.length, before)
    pass(1)
    await sdks.of(packageName, undefined)
    assert.equal(asked.length, 2 * before)
  }
})

test('CMP-2: a version that is announced needs no question', async () => {
  const { sdks, asked } = setUp({})
  assert.equal(await sdks.of(packageName, '2.1.28'), 'second')
  assert.deepEqual(asked, [])
})

test('CMP-10: the question is a form that says what it is', async () => {
  const { sdks, asked, forms } = setUp({ '/health': healthy })
  await sdks.of(packageName, undefined)
  assert.deepEqual(asked, ['/health', '/photo-upload'])
  for (const text of ['sdk-version-check', 'photo_error', 'Not a failure'])
    assert.ok(forms.join('').includes(text), text)
})
