import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LOCATION_TIER_MAX_AGE_MS, type SubscriptionEntry } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { Location } from './location.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'
const allowed = { permissions: [{ type: 'LOCATION' as const }] }

function setUp() {
  const rig = new SessionRig([createAppDefinition(A, allowed), createAppDefinition(B, allowed)])
  const glasses = rig.connectGlasses()
  const tiers = () => glasses.messagesOfType('set_location_tier').map(({ tier }) => tier)
  const list = (peer: RecordingPeer, ...subscriptions: SubscriptionEntry[]) =>
    rig.session.handleAppMessage(peer.name, peer, {
      type: 'subscription_update',
      subscriptions: [...subscriptions],
    })
  const poll = (peer: RecordingPeer, correlationId: string, accuracy = 'high') =>
    rig.session.handleAppMessage(peer.name, peer, { type: 'location_poll_request', correlationId, accuracy })
  const reportLocation = (fields: object) =>
    rig.session.handleGlassesMessage(glasses, { type: 'location_update', lat: 1, lng: 2, ...fields })
  return { rig, glasses, tiers, list, poll, reportLocation }
}

const frames = (peer: RecordingPeer) =>
  peer
    .messagesOfType('data_stream')
    .map(({ streamType, data }) => [streamType, data as Record<string, unknown>])

describe('positions', () => {
  test('LOC-3 LOC-4: a position is sent to each subscriber under each of its subscription strings', () => {
    const { rig, list, reportLocation } = setUp()
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    list(a, 'location_update', { stream: 'location_stream', rate: 'high' })
    reportLocation({ accuracy: 5, speed: null, timestamp: rig.clock.now() - 2_000, mocked: true })
    const frame = {
      type: 'location_update',
      lat: 1,
      lng: 2,
      accuracy: 5,
      timestamp: '2025-12-31T23:59:58.000Z',
    }
    assert.deepEqual(frames(a), [
      ['location_update', frame],
      ['location_stream', frame],
    ])
    assert.deepEqual(frames(b), [])
    rig.session.part(Location).report({ lat: 3, lng: 4, timestamp: -1_234_567 })
    assert.deepEqual(frames(a).at(-1)?.[1], {
      type: 'location_update',
      lat: 3,
      lng: 4,
      timestamp: '2026-01-01T00:00:00.000Z',
    })
  })

  test('LOC-5: a new subscriber receives the last position once for each subscription string', () => {
    const { rig, list, reportLocation } = setUp()
    const a = rig.runApp(A)
    list(a, 'location_update')
    assert.deepEqual(frames(a), [], 'no position is known yet')
    reportLocation({})
    const b = rig.runApp(B)
    list(b, 'button_press')
    assert.deepEqual(frames(b), [])
    list(b, 'button_press', 'location_update')
    list(b, 'location_update', 'button_press')
    assert.equal(frames(b).length, 1)
    list(b, 'location_update', 'location_stream')
    assert.deepEqual(
      frames(b).map(([stream]) => stream),
      ['location_update', 'location_stream'],
    )
    list(b)
    rig.clock.advance(8_000)
    list(b, 'location_update')
    assert.equal(frames(b).length, 3, 'it had unsubscribed in between')
  })

  test('LOC-5: an app that reconnects receives it again', () => {
    const { rig, list, reportLocation } = setUp()
    const first = rig.runApp(A)
    list(first, 'location_update')
    reportLocation({})
    rig.session.detachApp(A, first)
    const second = rig.connectApp(A)
    assert.ok(second)
    assert.deepEqual(frames(second), [])
    list(second, 'location_update')
    assert.equal(frames(second).length, 1)
  })
})

describe('tiers', () => {
  test('LOC-7 LOC-9: the phone uses the highest tier that any app requests', () => {
    const { rig, list, tiers } = setUp()
    assert.deepEqual(tiers(), ['reduced'])
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    list(a, { stream: 'location_stream', rate: 'kilometer' })
    list(b, { stream: 'location_stream', rate: 'threeKilometers' })
    assert.deepEqual(tiers(), ['reduced', 'kilometer'])
    list(b, 'location_update')
    assert.deepEqual(tiers(), ['reduced', 'kilometer', 'standard'])
    list(a, { stream: 'location_stream', rate: 'realtime' }, 'location_update')
    list(a, { stream: 'location_stream', rate: 'realtime' })
    assert.deepEqual(tiers(), ['reduced', 'kilometer', 'standard', 'realtime'])
  })

  test('LOC-8: a lower tier takes effect after it was sufficient for 15 seconds', () => {
    const { rig, list, tiers } = setUp()
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    list(b, { stream: 'location_stream', rate: 'kilometer' })
    list(a, { stream: 'location_stream', rate: 'high' })
    rig.stopApp(A)
    rig.clock.advance(14_999)
    assert.deepEqual(tiers(), ['reduced', 'kilometer', 'high'])
    rig.clock.advance(1)
    assert.deepEqual(tiers(), ['reduced', 'kilometer', 'high', 'kilometer'])
    rig.stopApp(B)
    rig.clock.advance(15_000)
    assert.equal(tiers().at(-1), 'reduced')
  })

  test('LOC-8: the 15 seconds restart when a higher tier was requested in between', () => {
    const { rig, list, tiers } = setUp()
    const a = rig.runApp(A)
    const realtime = { stream: 'location_stream', rate: 'realtime' }
    list(a, realtime)
    list(a, 'location_update')
    rig.clock.advance(5_000)
    list(a, { stream: 'location_stream', rate: 'kilometer' })
    rig.clock.advance(1_000)
    list(a, realtime)
    list(a, 'location_update')
    rig.clock.advance(14_999)
    assert.deepEqual(tiers(), ['reduced', 'realtime'])
    rig.clock.advance(1)
    assert.deepEqual(tiers(), ['reduced', 'realtime', 'standard'])
  })

  test('LOC-8: repeated subscriptions for single positions change the tier once', () => {
    const { rig, list, tiers } = setUp()
    const a = rig.runApp(A)
    rig.clock.advance(8_000)
    for (let n = 0; n < 20; n += 1) {
      list(a, 'location_update')
      rig.clock.advance(1_000)
      list(a)
      rig.clock.advance(10_000)
    }
    assert.deepEqual(tiers(), ['reduced', 'standard'])
    rig.clock.advance(5_000)
    assert.deepEqual(tiers(), ['reduced', 'standard', 'reduced'])
  })

  test('LOC-9: the tier is sent after each acknowledgement, to that connection only', () => {
    const { rig, glasses, list, tiers } = setUp()
    const a = rig.runApp(A)
    list(a, { stream: 'location_stream', rate: 'high' })
    rig.session.detachGlasses(glasses)
    list(a, { stream: 'location_stream', rate: 'realtime' })
    assert.deepEqual(tiers(), ['reduced', 'high'])
    const again = rig.connectGlasses()
    assert.deepEqual(
      again.messagesOfType('set_location_tier').map(({ tier, timestamp }) => [tier, timestamp]),
      [['realtime', '2026-01-01T00:00:00.000Z']],
    )
    assert.equal(again.sent[0]?.type, 'connection_ack')
  })

  test('LOC-7 LOC-13: a rejected subscription does not change the tier', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    rig.subscribe(rig.runApp(A), 'location_update', 'location_stream')
    assert.equal(glasses.lastOfType('set_location_tier')?.tier, 'reduced')
  })
})

describe('polls', () => {
  test('LOC-10: a position recent enough for the tier answers immediately, an older one does not', () => {
    for (const [tier, age] of Object.entries(LOCATION_TIER_MAX_AGE_MS)) {
      const { rig, glasses, poll, reportLocation } = setUp()
      const a = rig.runApp(A)
      reportLocation({})
      rig.clock.advance(age)
      poll(a, 'q1', tier)
      assert.deepEqual(
        frames(a),
        [
          [
            'location_update',
            {
              type: 'location_update',
              lat: 1,
              lng: 2,
              correlationId: 'q1',
              timestamp: '2026-01-01T00:00:00.000Z',
            },
          ],
        ],
        tier,
      )
      rig.clock.advance(1)
      poll(a, 'q2', tier)
      assert.equal(frames(a).length, 1)
      assert.deepEqual(glasses.lastOfType('request_single_location')?.accuracy, tier)
    }
  })

  test('LOC-11: the response of the phone is sent to the polling app only, and becomes the last position', () => {
    const { rig, glasses, list, poll, reportLocation } = setUp()
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    list(b, 'location_update')
    poll(a, 'q1')
    poll(a, 'q1')
    assert.deepEqual(glasses.messagesOfType('request_single_location'), [
      {
        type: 'request_single_location',
        accuracy: 'high',
        correlationId: 'q1',
        timestamp: '2026-01-01T00:00:00.000Z',
      },
    ])
    reportLocation({ correlationId: 'q1' })
    assert.deepEqual([frames(a).length, frames(b).length], [1, 0])
    const [, data] = frames(a)[0] ?? assert.fail()
    assert.equal((data as { correlationId: string }).correlationId, 'q1')
    poll(b, 'q2')
    assert.equal(frames(b).length, 1, 'answered from what is known now')
    assert.equal(glasses.messagesOfType('request_single_location').length, 1)
  })

  test('LOC-12: a response without a pending poll is an ordinary report', () => {
    const { rig, list, poll, reportLocation } = setUp()
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    list(b, 'location_update')
    poll(a, 'q1')
    assert.equal(rig.session.part(Location).completePoll('q1', { lat: 5, lng: 6 }), true)
    assert.equal(rig.session.part(Location).completePoll('q1', { lat: 7, lng: 8 }), false)
    reportLocation({ correlationId: 'never-polled' })
    assert.deepEqual(
      frames(b).map(([, data]) => [(data as { lat: number }).lat, 'correlationId' in (data as object)]),
      [
        [7, false],
        [1, false],
      ],
    )
    assert.equal(frames(a).length, 1)
  })

  test('LOC-13: without the permission the phone is not polled, whether or not a position is known', () => {
    const { glasses, poll, reportLocation, rig } = setUp()
    rig.apps.set(A, createAppDefinition(A))
    const a = rig.runApp(A)
    reportLocation({})
    poll(a, 'q1')
    const message = 'Location requires the permission LOCATION, which the app does not declare'
    assert.deepEqual(a.messagesOfType('permission_error'), [
      {
        type: 'permission_error',
        message,
        details: [{ stream: 'location_update', requiredPermission: 'LOCATION', message }],
        sessionId: `us1-${A}`,
        timestamp: '2026-01-01T00:00:00.000Z',
      },
    ])
    assert.deepEqual([frames(a), glasses.messagesOfType('request_single_location')], [[], []])
  })

  test('LOC-13: an app that loses the permission meanwhile receives permission_error instead of the response', () => {
    for (const subscriptions of [[], ['location_update']]) {
      const { rig, list, poll, reportLocation } = setUp()
      const a = rig.runApp(A)
      list(a, ...subscriptions)
      poll(a, 'q1')
      rig.session.updateApp(createAppDefinition(A))
      a.takeMessages()
      reportLocation({ correlationId: 'q1' })
      assert.deepEqual(
        a.sent.map(({ type }) => type),
        ['permission_error'],
      )
    }
  })

  test('LOC-14: a poll that cannot be answered fails with a reason', () => {
    const { rig, glasses, poll, reportLocation } = setUp()
    const a = rig.runApp(A)
    const rejections = () =>
      a.messagesOfType('tpa_connection_error').map(({ code, correlationId }) => [code, correlationId])
    for (let n = 0; n < 11; n += 1) poll(a, `q${n}`)
    assert.deepEqual(rejections(), [['LOCATION_UNAVAILABLE', 'q10']])
    assert.equal(glasses.messagesOfType('request_single_location').length, 10)
    reportLocation({ correlationId: 'q0' })
    rig.clock.advance(13_999)
    assert.equal(rejections().length, 1)
    rig.clock.advance(1)
    assert.deepEqual(
      rejections()
        .slice(1)
        .map(([, id]) => id),
      ['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8', 'q9'],
    )
    assert.match(String(a.lastOfType('tpa_connection_error')?.message), /did not report a location in time/)
    rig.session.detachGlasses(glasses)
    poll(a, 'alone')
    assert.deepEqual(rejections().at(-1), ['LOCATION_UNAVAILABLE', 'alone'])
    assert.match(String(a.lastOfType('tpa_connection_error')?.message), /not connected/)
    assert.equal(a.closed, undefined)
  })

  test('LOC-15: two apps that use the same correlationId each receive their own response', () => {
    const { rig, glasses, poll } = setUp()
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    poll(a, 'same')
    poll(b, 'same')
    const polls = glasses
      .messagesOfType('request_single_location')
      .map(({ correlationId }) => String(correlationId))
    assert.equal(new Set(polls).size, 2)
    for (const [lat, id] of polls.entries()) rig.session.part(Location).completePoll(id, { lat, lng: 0 })
    for (const [lat, peer] of [a, b].entries()) {
      assert.deepEqual(
        frames(peer).map(([, data]) => [
          (data as { lat: number }).lat,
          (data as { correlationId: string }).correlationId,
        ]),
        [[lat, 'same']],
      )
    }
  })

  test('LOC-16: a phone that reconnects is polled again; the polls of a stopped app are dropped', () => {
    const { rig, glasses, poll } = setUp()
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    poll(a, 'q1')
    poll(b, 'q2')
    rig.stopApp(B)
    rig.session.detachGlasses(glasses)
    const again = rig.connectGlasses()
    assert.deepEqual(
      again.messagesOfType('request_single_location').map(({ correlationId }) => correlationId),
      ['q1'],
    )
    assert.equal(rig.session.part(Location).completePoll('q2', { lat: 1, lng: 1 }), false)
    assert.equal(rig.session.part(Location).completePoll('q1', { lat: 1, lng: 1 }), true)
    assert.equal(frames(a).length, 1)
  })

  test('LOC-18: a repeated poll is answered once', () => {
    const { rig, glasses, poll, reportLocation } = setUp()
    const a = rig.runApp(A)
    poll(a, 'same')
    poll(a, 'same')
    assert.equal(glasses.messagesOfType('request_single_location').length, 1)
    reportLocation({})
    poll(a, 'same')
    assert.equal(frames(a).length, 1, 'from the last position')
    assert.equal(rig.session.part(Location).completePoll('same', { lat: 1, lng: 1 }), false)
    rig.clock.advance(14_000)
    assert.deepEqual(a.messagesOfType('tpa_connection_error'), [])
  })

  test('LOC-16: all polls are dropped at the end of the session', () => {
    const { rig, poll } = setUp()
    poll(rig.runApp(A), 'q1')
    rig.session.end()
    assert.equal(rig.session.part(Location).completePoll('q1', { lat: 1, lng: 1 }), false)
  })
})
