import type { NodeEvent, NodeSample } from '../../api/administration.ts'
import { type ChartEvent, nearestMoment } from '../../components/ChartTimeline.tsx'
import { formatMinute } from '../../format.ts'

const EVENTS = {
  started: (node: string) => `${node} started`,
  restarted: (node: string) => `${node} restarted`,
  deployed: (node: string, version: string) => `${node} started with the new version ${version}`,
  draining: (node: string) => `${node} hands its sessions over`,
  stopped: (node: string) => `${node} stopped`,
  lost: (node: string) => `${node} ended without stopping`,
} as const

export const MEASURE_NAMES = {
  sessions: 'Live sessions',
  requests: 'Requests a minute',
  failedRequests: 'Failed requests a minute',
  slowRequests: 'Slow requests a minute',
  sockets: 'Open sockets',
  processors: 'Busy processors',
  eventLoop: 'Busy event loop, %',
  memory: 'Memory, in MB',
} as const

/** What is measured, in the order in which it is shown. */
export type Measure = keyof typeof MEASURE_NAMES
export const MEASURES = Object.keys(MEASURE_NAMES) as Measure[]

/** What all nodes measured at the same time, and what happened about then. */
export interface Moment {
  /** Epoch ms. */
  readonly at: number
  readonly x: number
  readonly label: string
  readonly values: Readonly<Record<Measure, number>>
  readonly events: readonly string[]
}

/** The values of one node. */
const VALUES: Record<Measure, (sample: NodeSample) => number> = {
  sessions: ({ sessions }) => sessions,
  requests: ({ requests }) => requests,
  failedRequests: ({ failedRequests }) => failedRequests,
  slowRequests: ({ slowRequests }) => slowRequests,
  sockets: ({ glassesSockets, appSockets }) => glassesSockets + appSockets,
  processors: ({ processors }) => processors,
  eventLoop: ({ eventLoop }) => eventLoop * 100,
  memory: ({ memoryBytes }) => memoryBytes / 1024 ** 2,
}

const TONES = {
  started: 'success',
  restarted: 'success',
  deployed: 'success',
  draining: 'warning',
  stopped: 'neutral',
  lost: 'danger',
} as const

/** What was measured, and what happened, over the same time. */
export interface Measured {
  readonly moments: readonly Moment[]
  readonly events: readonly ChartEvent[]
  /** Labels of the first and of the last moment or event. */
  readonly ends: readonly [string, string]
  /** Between them, in ms. */
  readonly durationMs: number
}

/** Adds up what the nodes measured; of event loops, the busiest counts. */
export function combine(samples: readonly NodeSample[], happened: readonly NodeEvent[]): Measured {
  const byTime = Map.groupBy(samples, ({ at }) => Date.parse(at))
  const times = [...byTime.keys()]
  const eventTimes = happened.map(({ at }) => Date.parse(at))
  const start = Math.min(...times, ...eventTimes)
  const durationMs = Math.max(1, Math.max(...times, ...eventTimes) - start)
  const xOf = (at: number) => (at - start) / durationMs
  const events = happened.map(({ id, at, kind, node, version }) => {
    const [time, text] = [formatMinute(Date.parse(at)), EVENTS[kind](node, version)]
    const x = xOf(Date.parse(at))
    return { key: id, x, time, text, brief: `${time} ${text}`, tone: TONES[kind] }
  })
  const places = times.map((at) => ({ x: xOf(at), label: formatMinute(at) }))
  const eventsAt = Map.groupBy(events, ({ x }) => nearestMoment(places, x))
  const moments = [...byTime].map(([at, nodes], index) => {
    const total = (measure: Measure) => {
      const values = nodes.map(VALUES[measure])
      return measure === 'eventLoop' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)
    }
    return {
      at,
      x: xOf(at),
      label: formatMinute(at),
      values: Object.fromEntries(MEASURES.map((measure) => [measure, total(measure)])) as Moment['values'],
      events: (eventsAt.get(index) ?? []).map(({ brief }) => brief),
    }
  })
  return { moments, events, ends: [formatMinute(start), formatMinute(start + durationMs)], durationMs }
}
