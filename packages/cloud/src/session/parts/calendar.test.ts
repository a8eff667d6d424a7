import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { Calendar } from './calendar.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'
const HOUR = 3_600_000

function setUp() {
  const permissions = [{ type: 'CALENDAR' as const }]
  const rig = new SessionRig([
    createAppDefinition(A, { permissions }),
    createAppDefinition(B, { permissions }),
  ])
  const glasses = rig.connectGlasses()
  const begin = rig.clock.now()
  /** An event of one hour that starts `hours` after the start of the test. */
  const event = (id: string, hours: number, title = id) => ({
    id,
    title,
    startDate: new Date(begin + hours * HOUR).toISOString(),
    endDate: new Date(begin + (hours + 1) * HOUR).toISOString(),
  })
  return { rig, glasses, event }
}

const events = (peer: RecordingPeer) =>
  peer.messagesOfType('data_stream').map(({ data }) => data as Record<string, unknown>)
const ids = (peer: RecordingPeer) => events(peer).map(({ eventId }) => eventId)

test('CALE-3: each event is sent to subscribers only', () => {
  const { rig, event } = setUp()
  const [a, b] = [rig.runApp(A), rig.runApp(B)]
  rig.subscribe(a, 'calendar_event')
  rig.session.part(Calendar).report([{ ...event('e1', 1, 'Tea'), timeZone: 'Europe/Berlin' }])
  assert.deepEqual(a.messagesOfType('data_stream'), [
    {
      type: 'data_stream',
      sessionId: `us1-${A}`,
      streamType: 'calendar_event',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: {
        type: 'calendar_event',
        eventId: 'e1',
        title: 'Tea',
        dtStart: '2026-01-01T01:00:00.000Z',
        dtEnd: '2026-01-01T02:00:00.000Z',
        timezone: 'Europe/Berlin',
        timeStamp: '2026-01-01T00:00:00.000Z',
      },
    },
  ])
  assert.deepEqual(events(b), [])
})

test('CALE-2 CALE-4: new and changed events are sent, known ones are not, and invalid ones are ignored', () => {
  const { rig, event } = setUp()
  const a = rig.runApp(A)
  rig.subscribe(a, 'calendar_event')
  const week = [event('e1', 1), event('e2', 2), event('e1', 25)]
  rig.session.part(Calendar).report(week)
  assert.deepEqual(ids(a), ['e1', 'e2', 'e1'], 'occurrences of a recurring event share their id')
  a.takeMessages()
  rig.clock.advance(HOUR)
  rig.session.part(Calendar).report(week)
  assert.deepEqual(ids(a), [])
  const moved = { ...event('e2', 2), endDate: event('e2', 5).endDate }
  const inTokyo = { ...event('e1', 25), timeZone: 'Asia/Tokyo' }
  const entries = [event('e1', 1, 'renamed'), moved, inTokyo, { id: 'e4' }, null, event('e3', 3)]
  assert.deepEqual(rig.session.part(Calendar).report(entries), ['[3].startDate', '[4]'])
  assert.deepEqual(ids(a), ['e1', 'e2', 'e3', 'e1'])
  assert.ok(rig.events.includes('calendar_events_invalid'))
})

test('CALE-5 CALE-6: a hundred events are stored, future ones first, and sent to each new subscriber', () => {
  const { rig, event } = setUp()
  const early = rig.runApp(A)
  rig.subscribe(early, 'calendar_event')
  const past = [event('old', -30), event('recent', -2), event('now', -0.5)]
  const future = Array.from({ length: 98 }, (_, n) => event(`f${n}`, n + 1))
  rig.session.part(Calendar).report([...past, ...future].reverse())
  const expected = ['now', ...future.map(({ id }) => id), 'recent']
  assert.deepEqual(ids(early), expected, 'events that are not stored are not sent')
  const late = rig.runApp(B)
  rig.subscribe(late, 'calendar_event')
  assert.deepEqual(ids(late), expected)
  rig.subscribe(late, 'calendar_event', 'button_press')
  assert.equal(ids(late).length, 100)
  rig.clock.advance(3.5 * HOUR)
  const again = rig.connectApp(A)
  assert.ok(again)
  rig.subscribe(again, 'calendar_event')
  assert.deepEqual(
    [ids(again)[0], ids(again).slice(-4)],
    ['f2', ['f1', 'f0', 'now', 'recent']],
    'past events are last',
  )
})

test('CALE-7: the glasses can report an event, and receive an error if it is invalid', () => {
  const { rig, glasses, event } = setUp()
  const a = rig.runApp(A)
  rig.subscribe(a, 'calendar_event')
  const { startDate, endDate } = event('e1', 1)
  const message = {
    type: 'calendar_event',
    eventId: 'e1',
    title: 'Tea',
    dtStart: startDate,
    dtEnd: endDate,
  } as const
  rig.session.handleGlassesMessage(glasses, message)
  rig.session.handleGlassesMessage(glasses, message)
  assert.deepEqual(ids(a), ['e1'])
  assert.deepEqual(glasses.messagesOfType('connection_error'), [])
  rig.session.handleGlassesMessage(glasses, { ...message, dtStart: 'soon' })
  assert.equal(glasses.lastOfType('connection_error')?.code, 'MALFORMED_MESSAGE')
  assert.deepEqual(ids(a), ['e1'])
})
