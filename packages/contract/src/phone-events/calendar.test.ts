import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCalendarEntry } from './calendar.ts'

const start = '2026-01-01T10:00:00.000Z'
const end = '2026-01-01T11:00:00.000Z'
const event = { eventId: 'e1', title: 'Tea', dtStart: start, dtEnd: end, timezone: 'Europe/Berlin' }

describe('calendar entries', () => {
  test('CALE-1: every set of field names is parsed to the same event', () => {
    for (const entry of [
      event,
      { id: 'e1', title: 'Tea', startDate: start, endDate: end, timeZone: 'Europe/Berlin' },
      { id: 'e1', title: 'Tea', start, end, timezone: 'Europe/Berlin', notes: 'bring cake' },
      { id: 'e1', title: 'Tea', start_time: start, end_time: end, timeZone: 'Europe/Berlin' },
      { ...event, startDate: null, dtStart: Date.parse(start), dtEnd: String(Date.parse(end)) },
      { ...event, dtStart: '2026-01-01T11:00:00+01:00', dtEnd: '2026-01-01T11:00:00' },
    ])
      assert.deepEqual(parseCalendarEntry(entry), event, JSON.stringify(entry))
  })

  test('CALE-1: fields other than id, title and start have defaults', () => {
    const bare = { id: 7, title: 'Tea', start: '2026-01-01' }
    const midnight = '2026-01-01T00:00:00.000Z'
    assert.deepEqual(parseCalendarEntry(bare), {
      eventId: '7',
      title: 'Tea',
      dtStart: midnight,
      dtEnd: midnight,
      timezone: 'UTC',
    })
    assert.equal(parseCalendarEntry({ ...bare, title: 'x'.repeat(5_000) })?.title.length, 1_000)
  })

  test('CALE-2: entries without an id, a title or a valid start', () => {
    const { eventId: _, ...nameless } = event
    for (const entry of [
      nameless,
      { ...event, eventId: '' },
      { ...event, eventId: 'x'.repeat(501) },
      { ...event, eventId: { id: 1 } },
      { ...event, title: undefined },
      { ...event, title: '' },
      { ...event, dtStart: undefined },
      { ...event, dtStart: 'soon' },
      { ...event, dtStart: '2026-13-45T10:00:00Z' },
      { ...event, dtStart: Number.POSITIVE_INFINITY },
      {},
    ])
      assert.equal(parseCalendarEntry(entry), undefined, JSON.stringify(entry))
  })
})
