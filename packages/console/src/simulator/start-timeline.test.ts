import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStarts, StartTimeline } from './start-timeline.ts'

const APP = 'org.example.app'

/** The kinds of the moments of each start, the latest start first. */
const kindsOf = (...args: Parameters<typeof findStarts>) =>
  findStarts(...args).map(({ moments }) => moments.map(({ kind }) => kind))

test('the moments of a start are in the order of time, with the webhooks of the log', () => {
  const timeline = new StartTimeline()
  timeline.addMessage({ type: 'app_state_change', apps: [{ packageName: APP, state: 'starting' }] }, 1_010)
  timeline.addMessage({ type: 'app_started', packageName: APP }, 1_300)
  timeline.addMessage({ type: 'display_event', packageName: APP }, 1_400)
  timeline.addRequest(APP, 1_000, 1_350, 200)
  const entry = {
    id: '1',
    at: new Date(1_200).toISOString(),
    level: 'info',
    session: 's',
    kind: 'webhook',
    event: 'session_request',
    attempt: 2,
    status: 200,
    durationMs: 150,
  } as const
  const log = new Map([[APP, [entry]]])
  assert.deepEqual(kindsOf(timeline.moments, log), [
    ['requested', 'starting', 'webhook', 'running', 'answered', 'display'],
  ])
  const [webhook] =
    findStarts(timeline.moments, log)[0]?.moments.filter(({ kind }) => kind === 'webhook') ?? []
  assert.deepEqual(webhook, {
    at: 1_050,
    kind: 'webhook',
    detail: 'attempt 2, HTTP 200, 150 ms',
    durationMs: 150,
  })
})

test('a request that fails ends its start; the next request begins another one', () => {
  const timeline = new StartTimeline()
  timeline.addRequest(APP, 1_000, 2_000, 500)
  timeline.addRequest(APP, 3_000, 3_500, 200)
  assert.deepEqual(kindsOf(timeline.moments), [
    ['requested', 'answered'],
    ['requested', 'failed'],
  ])
})

test('what an app shows later does not belong to its start', () => {
  const timeline = new StartTimeline()
  timeline.addMessage({ type: 'app_started', packageName: APP }, 1_000)
  assert.equal(timeline.addMessage({ type: 'display_event', packageName: APP }, 1_100), true)
  assert.equal(timeline.addMessage({ type: 'display_event', packageName: APP }, 1_200), false)
  assert.deepEqual(kindsOf(timeline.moments), [['running', 'display']])
})

test('a request begins a start, also after moments of the log that the glasses did not see', () => {
  const timeline = new StartTimeline()
  timeline.addRequest(APP, 10_000, 10_100, 200)
  const entry = (at: number, kind: 'webhook' | 'socket', event: 'session_request' | 'opened') =>
    ({ id: String(at), at: new Date(at).toISOString(), level: 'info', session: 's', kind, event }) as const
  const log = [entry(1_000, 'webhook', 'session_request'), entry(1_100, 'socket', 'opened')]
  log.push(entry(10_050, 'webhook', 'session_request'))
  assert.deepEqual(kindsOf(timeline.moments, new Map([[APP, log]])), [
    ['requested', 'webhook', 'answered'],
    ['webhook', 'socket'],
  ])
})
