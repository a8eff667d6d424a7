import { createContext, type ReactNode, useContext, useState } from 'react'
import styles from './charts.module.css'

/** A time that charts have a value for. */
export interface ChartMoment {
  /** Where it is, from 0 at the beginning to 1 at the end. */
  readonly x: number
  readonly label: string
}

/** Something that happened, marked on all charts. */
export interface ChartEvent {
  readonly key: string
  readonly x: number
  /** When it happened, as text. */
  readonly time: string
  readonly text: string
  /** The text beside the moment that is pointed at, with the time if that says less. */
  readonly brief: string
  readonly tone: 'neutral' | 'success' | 'warning' | 'danger'
}

interface Timeline {
  /** Labels of the beginning and of the end. */
  readonly ends: readonly [string, string]
  readonly moments: readonly ChartMoment[]
  readonly events: readonly ChartEvent[]
  /** The moment that is pointed at; undefined: the last one is shown, without a line. */
  readonly pointed: number | undefined
  readonly point: (index: number | undefined) => void
}

const TimelineContext = createContext<Timeline>({
  ends: ['', ''],
  moments: [],
  events: [],
  pointed: undefined,
  point: () => {},
})

/** Returns the timeline that a chart is part of. */
export const useTimeline = (): Timeline => useContext(TimelineContext)

export interface ChartTimelineProps {
  /** Labels of the beginning and of the end. */
  readonly ends: readonly [string, string]
  /** At least one, in the order of time. */
  readonly moments: readonly ChartMoment[]
  readonly events: readonly ChartEvent[]
  /** Charts with a value for each moment. */
  readonly children: ReactNode
}

/**
 * Charts over the same time. All of them show the values at the moment that is pointed at on one of them, or that is
 * chosen with the keyboard, and what happened.
 */
export function ChartTimeline({ ends, moments, events, children }: ChartTimelineProps) {
  const [pointed, point] = useState<number>()
  const last = moments.length - 1
  const shown = Math.min(pointed ?? last, last)
  const at = moments[shown]
  const happened = events.filter((event) => nearestMoment(moments, event.x) === shown)
  const description = [at?.label ?? '', happened.map(({ brief }) => brief).join(', ')]
    .filter((part) => part !== '')
    .join(' · ')
  return (
    <TimelineContext
      value={{ ends, moments, events, pointed: pointed === undefined ? undefined : shown, point }}
    >
      <div className={styles.timeline}>
        <label className={styles.scrubber}>
          <span>Time</span>
          <input
            type="range"
            min={0}
            max={last}
            value={shown}
            aria-valuetext={description}
            onChange={({ target }) => point(Number(target.value))}
            onBlur={() => point(undefined)}
          />
          <output className={styles.moment}>{description}</output>
        </label>
        <div className={styles.charts}>{children}</div>
        <EventList />
      </div>
    </TimelineContext>
  )
}

/** What happened, newest first; each entry moves the line of the charts to its time. */
function EventList() {
  const { events, moments, point } = useTimeline()
  return (
    <section className={styles.events} aria-label="What happened">
      <h3>What happened</h3>
      {events.length === 0 ? (
        <p className="muted">Nothing in this period.</p>
      ) : (
        <ul>
          {events.map(({ key, x, time, text, tone }) => (
            <li key={key}>
              <button
                type="button"
                onClick={() => point(nearestMoment(moments, x))}
                onMouseEnter={() => point(nearestMoment(moments, x))}
                onMouseLeave={() => point(undefined)}
                onFocus={() => point(nearestMoment(moments, x))}
                onBlur={() => point(undefined)}
              >
                <span aria-hidden className={`${styles.dot} ${styles[`${tone}Dot`]}`} />
                <span>{text}</span> <span className="muted">{time}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Returns the index of the moment that is closest to a place. */
export function nearestMoment(moments: readonly ChartMoment[], x: number): number {
  let nearest = 0
  for (const [index, moment] of moments.entries())
    if (Math.abs(moment.x - x) < Math.abs((moments[nearest]?.x ?? 0) - x)) nearest = index
  return nearest
}
