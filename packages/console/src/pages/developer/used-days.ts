import type { AppEvent, AppUsageDay } from '../../api/developer.ts'
import type { ChartEvent } from '../../components/ChartTimeline.tsx'
import { formatDate, formatTime } from '../../format.ts'

const EVENTS = {
  published: 'Published',
  unpublished: 'Taken out of the store',
  submitted: 'Submitted for review',
  rejected: 'Rejected by the review',
  permissions: 'Declares new permissions',
  server_down: 'App server not reached',
  server_up: 'App server reached again',
  key_made: 'API key made',
  key_revoked: 'API key revoked',
} as const

/** A day with what happened to the app. */
export interface UsedDay extends AppUsageDay {
  readonly x: number
  readonly label: string
  readonly events: readonly string[]
}

const TONES = {
  published: 'success',
  unpublished: 'neutral',
  submitted: 'neutral',
  rejected: 'danger',
  permissions: 'warning',
  server_down: 'danger',
  server_up: 'success',
  key_made: 'neutral',
  key_revoked: 'neutral',
} as const

/** Places days and what happened on them beside each other. Days are calendar days in UTC. */
export function placeDays(
  days: readonly AppUsageDay[],
  happened: readonly AppEvent[],
): { readonly days: readonly UsedDay[]; readonly events: readonly ChartEvent[] } {
  const xOf = (index: number) => (index + 0.5) / days.length
  const indexOf = new Map(days.map(({ date }, index) => [date, index]))
  const events = happened.flatMap(({ at, kind }, position) => {
    const index = indexOf.get(at.slice(0, 10))
    if (index === undefined) return []
    const event = {
      key: `${position} ${at} ${kind}`,
      x: xOf(index),
      time: formatTime(at),
      text: EVENTS[kind],
      brief: EVENTS[kind],
      tone: TONES[kind],
    }
    return [{ index, event }]
  })
  const byDay = Map.groupBy(events, ({ index }) => index)
  return {
    days: days.map((day, index) => ({
      ...day,
      x: xOf(index),
      label: formatDate(day.date),
      events: (byDay.get(index) ?? []).map(({ event }) => event.text),
    })),
    events: events.map(({ event }) => event),
  }
}
