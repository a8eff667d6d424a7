import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CalendarEvent, readCalendarEntry } from './calendar.ts'

const start = '2026-01-01T10:00:00.000Z'
const end = '2026-01-01T11:00:00.000Z'
const event = { eventId: 'e1', title: 'Tea', dtStart: start, dtEnd: end, timezone: 'Europe/Berlin' }

/** The event of an entry of which everything can be read. */
function eventOf(entry: object): CalendarEvent | undefined {
  const { event: found, unreadable } = readCalendarEntry(entry)
  assert.deepEqual(unreadable, [], JSON.stringify(entry))
  return found
}

const timesOf = (entry: object) => {
  const { dtStart, dtEnd, timezone } = eventOf({ id: 1, ...entry }) ?? assert.fail()
  return [dtStart, dtEnd, timezone]
}

describe('calendar entries', () => {
  test('CALE-1: every set of field names is read as the same event', () => {
    const berlin = 'Europe/Berlin'
    const inBerlin = { dateTime: '2026-01-01T11:00:00', timeZone: berlin }
    for (const entry of [
      event,
      { id: 'e1', title: 'Tea', startDate: start, endDate: end, timeZone: berlin },
      { id: 'e1', title: 'Tea', start, end, timezone: berlin, notes: 'bring cake' },
      { id: 'e1', title: 'Tea', start_time: start, end_time: end, timeZone: berlin },
      { ...event, startDate: null, dtStart: Date.parse(start), dtEnd: String(Date.parse(end)) },
      { ...event, dtStart: '2026-01-01T11:00:00+01:00', dtEnd: '2026-01-01T12:00:00' },
      // EventKit
      {
        eventIdentifier: 'e1',
        title: 'Tea',
        startDate: start,
        endDate: end,
        timeZone: { identifier: berlin },
      },
      // Android
      { event_id: 'e1', title: 'Tea', begin: Date.parse(start), end: Date.parse(end), eventTimezone: berlin },
      // Google
      { id: 'e1', summary: 'Tea', start: inBerlin, end: { dateTime: '2026-01-01T12:00:00+01:00' } },
      // Microsoft
      {
        ...{ id: 'e1', subject: 'Tea', isAllDay: false },
        start: { dateTime: '2026-01-01T11:00:00.0000000', timeZone: 'W. Europe Standard Time' },
        end: { dateTime: '2026-01-01T11:00:00.0000000', timeZone: 'UTC' },
      },
    ])
      assert.deepEqual(eventOf(entry), event, JSON.stringify(entry))
  })

  test('CALE-1: fields other than id and start have defaults', () => {
    const midnight = '2026-01-01T00:00:00.000Z'
    const times = { dtStart: midnight, dtEnd: midnight, timezone: 'UTC' }
    for (const title of [null, undefined, ''])
      assert.deepEqual(eventOf({ id: 7, title, start: '2026-01-01' }), { eventId: '7', title: '', ...times })
    assert.equal(eventOf({ ...event, title: 'x'.repeat(5_000) })?.title.length, 1_000)
  })

  test('CALE-13: a time without an offset is one of the time zone of the event', () => {
    const zone = { timeZone: 'America/Los_Angeles' }
    const expected = ['2026-10-05T16:00:00.000Z', '2026-10-05T17:00:00.000Z', 'America/Los_Angeles']
    for (const [from, to] of [
      ['2026-10-05T09:00:00', '2026-10-05T10:00'],
      ['2026-10-05 09:00', '2026-10-05 10:00:00.000'],
      ['20261005T090000', '20261005T100000'],
      ['2026-10-05T09:00:00-07:00', '2026-10-05T17:00:00+0000'],
      ['2026-10-05T18:00+02:00[Europe/Berlin]', '2026-10-05T13:00:00-04'],
      ['Oct 5, 2026 at 9:00:00\u202fAM', 'Mon Oct 05 2026 10:00:00 GMT-0700 (Pacific Daylight Time)'],
      ['Mon, 05 Oct 2026 16:00:00 GMT', '5 October 2026 10:00'],
      [1_791_216_000, '1791219600'],
      [1_791_216_000_000, '1791219600000.0'],
      [1_791_216_000_000_000, 1_791_219_600_000_000_000],
      // Seconds since 2001
      [1_791_216_000 - 978_307_200, 1_791_219_600 - 978_307_200],
    ] as const) {
      const read = timesOf({ start: from, end: to, ...zone })
      assert.deepEqual(read.slice(0, 2), expected.slice(0, 2), String(from))
    }
    assert.deepEqual(timesOf({ start: '2026-10-05T09:00:00', end: '2026-10-05T10:00', ...zone }), expected)
  })

  test('CALE-13: names of time zones', () => {
    for (const [timeZone, at, expected] of [
      ['Pacific Standard Time', '2026-10-05T16:00:00.000Z', 'America/Los_Angeles'],
      ['US/Pacific', '2026-10-05T16:00:00.000Z', 'US/Pacific'],
      ['America/Los_Angeles (fixed (equal to current))', '2026-10-05T16:00:00.000Z', 'America/Los_Angeles'],
      ['/freeassociation.sourceforge.net/Europe/Berlin', '2026-10-05T07:00:00.000Z', 'Europe/Berlin'],
      ['GMT+2', '2026-10-05T07:00:00.000Z', '+02:00'],
      ['UTC-03:30', '2026-10-05T12:30:00.000Z', '-03:30'],
      ['+0530', '2026-10-05T03:30:00.000Z', '+05:30'],
      ['GMT', '2026-10-05T09:00:00.000Z', 'UTC'],
      ['PST', '2026-10-05T16:00:00.000Z', 'America/Los_Angeles'],
      ['', '2026-10-05T09:00:00.000Z', 'UTC'],
    ] as const)
      assert.deepEqual(timesOf({ start: '2026-10-05T09:00:00', timeZone }), [at, at, expected], timeZone)
  })

  test('CALE-13: an all-day event begins and ends at midnight where it is', () => {
    const timeZone = 'America/Los_Angeles'
    const day = ['2026-10-05T07:00:00.000Z', '2026-10-06T07:00:00.000Z', timeZone]
    const midnight = Date.parse('2026-10-05T00:00:00Z')
    for (const entry of [
      { start: '2026-10-05', end: '2026-10-06' },
      { start: { date: '2026-10-05' }, end: { date: '2026-10-06', dateTime: null } },
      { start: '20261005', end: '20261006' },
      { start: '2026-10-05T07:00:00Z', end: '2026-10-06T07:00:00Z', allDay: true },
      { dtstart: midnight, dtend: midnight + 86_400_000, allDay: 1 },
      { dtstart: String(midnight), dtend: midnight + 86_400_000, allDay: 'true' },
    ])
      assert.deepEqual(timesOf({ ...entry, timeZone }), day, JSON.stringify(entry))
    const inUtc = { dtstart: midnight, dtend: midnight + 86_400_000, allDay: 1, eventTimezone: 'UTC' }
    assert.deepEqual(timesOf(inUtc), ['2026-10-05T00:00:00.000Z', '2026-10-06T00:00:00.000Z', 'UTC'])
  })

  test('CALE-13: times that clocks repeat or skip', () => {
    for (const [timeZone, time, expected] of [
      ['America/Los_Angeles', '2026-11-01T01:30:00', '2026-11-01T08:30:00.000Z'],
      ['America/Los_Angeles', '2026-11-01T02:30:00', '2026-11-01T10:30:00.000Z'],
      ['America/Los_Angeles', '2026-03-08T02:30:00', '2026-03-08T10:30:00.000Z'],
      ['America/Los_Angeles', '2026-03-08T03:30:00', '2026-03-08T10:30:00.000Z'],
      ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
      ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
      ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-04T14:45:00.000Z'],
      // This date did not exist.
      ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00.000Z'],
    ] as const)
      assert.equal(timesOf({ start: time, timeZone })[0], expected, `${time} ${timeZone}`)
  })

  test('CALE-14: what cannot be read is named, and the event is not lost', () => {
    for (const [changes, expected, unreadable] of [
      [{ dtEnd: 'later' }, { dtEnd: start }, ['dtEnd']],
      [{ dtEnd: '10/05/2026 09:00' }, { dtEnd: start }, ['dtEnd']],
      [{ timezone: 'Mars/Phobos' }, { timezone: 'UTC' }, ['timezone']],
      [{ timezone: 7, title: {} }, { timezone: 'UTC', title: '' }, ['timezone', 'title']],
      [{ allDay: 'perhaps' }, {}, ['allDay']],
    ] as const) {
      const read = readCalendarEntry({ ...event, ...changes })
      assert.deepEqual(read, { event: { ...event, ...expected }, unreadable }, JSON.stringify(changes))
    }
  })

  test('CALE-2: entries without an id or a start that can be read', () => {
    const { eventId: _, ...nameless } = event
    for (const [entry, unreadable] of [
      [nameless, 'id'],
      [{ ...event, eventId: '' }, 'id'],
      [{ ...event, eventId: 'x'.repeat(501) }, 'eventId'],
      [{ ...event, eventId: { id: 1 } }, 'eventId'],
      [{ ...event, dtStart: undefined }, 'startDate'],
      [{ ...event, dtStart: 'soon' }, 'dtStart'],
      [{ ...event, dtStart: '2026-13-45T10:00:00Z' }, 'dtStart'],
      [{ ...event, dtStart: '2026-02-31' }, 'dtStart'],
      [{ ...event, dtStart: '2026-01-01T10:00:00+25:00' }, 'dtStart'],
      [{ ...event, dtStart: Number.POSITIVE_INFINITY }, 'dtStart'],
      [{ ...event, dtStart: { dateTime: { dateTime: start } } }, 'dtStart'],
      [{ ...event, dtStart: [start] }, 'dtStart'],
    ] as const)
      assert.deepEqual(
        readCalendarEntry(entry),
        { event: undefined, unreadable: [unreadable] },
        JSON.stringify(entry),
      )
    assert.deepEqual(readCalendarEntry({}).unreadable, ['id', 'startDate'])
  })
})
