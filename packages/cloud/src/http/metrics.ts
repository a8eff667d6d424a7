import { totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Interval at which the event loop delay is measured; the default of 10 ms costs 4 to 9 ms of processor time a second. */
const EVENT_LOOP_RESOLUTION_MS = 200

const REQUESTS = 'http_request_duration_seconds'

/** Duration from which a request counts as slow; a bucket of the histogram. */
const SLOW_SECONDS = 0.5

/** Requests since the start, without streams, and the present values of gauges. */
export interface MetricTotals {
  readonly requests: number
  /** With a status of 500 or more. */
  readonly failedRequests: number
  /** Of more than half a second. */
  readonly slowRequests: number
  /** Returns the value of a gauge; 0 for an unknown one. */
  gauge(name: string): number
}

/** The values of the labels of a series, and its own value. */
export type LabeledValue<Label extends string> = readonly [Readonly<Record<Label, string>>, number]

/** Metrics of the process, shared by all clouds in it. */
let processRegistry: Registry | undefined

/** Metrics for Prometheus. Labels have a fixed set of values: never a user, a package or an address. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Histogram({
    name: REQUESTS,
    help: 'Time from the request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, SLOW_SECONDS, 2, 10],
    registers: [this.#registry],
  })

  readonly #gauges = new Map<string, () => number>()

  /** The series of `#requests` by method, route and status: finding one by its labels takes longer than recording it. */
  readonly #series = new Map<string, Histogram.Internal<string>>()

  /** @param node name of this node, which labels all metrics; undefined if it is the only one */
  constructor(node?: string) {
    if (processRegistry === undefined) {
      processRegistry = new Registry()
      collectDefaultMetrics({
        register: processRegistry,
        eventLoopMonitoringPrecision: EVENT_LOOP_RESOLUTION_MS,
      })
      addProcessMetrics(processRegistry)
    }
    for (const registry of [this.#registry, processRegistry])
      registry.setDefaultLabels(node === undefined ? {} : { node })
  }

  /** Records a request; `route` is the pattern of the route. */
  request(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route} ${status}`
    let series = this.#series.get(key)
    if (series === undefined) {
      series = this.#requests.labels(method, route, String(status))
      this.#series.set(key, series)
    }
    series.observe(seconds)
  }

  /** Adds a gauge, which is read when metrics are collected. */
  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.set(name, read)
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }

  /** Adds a gauge with labels, whose values are read when metrics are collected. */
  gauges<Label extends string>(
    name: string,
    help: string,
    labels: Label[],
    read: () => readonly LabeledValue<Label>[] | Promise<readonly LabeledValue<Label>[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [this.#registry],
      async collect() {
        const values = await read()
        this.reset()
        for (const [labelValues, value] of values) this.set(labelValues, value)
      },
    })
  }

  /**
   * Adds a counter; `labels` are the names of its labels.
   * @param known series that start at 0: the first increase of others cannot be seen, because they appear with it
   */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labels: Label[] = [],
    known: readonly Partial<Record<Label, string>>[] = [],
  ): Counter<Label> {
    const counter = new Counter({ name, help, labelNames: labels, registers: [this.#registry] })
    for (const values of known) counter.inc(values, 0)
    return counter
  }

  /** Adds a counter without labels, whose value is read when metrics are collected. */
  counterFrom(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }

  /**
   * Adds a histogram; `labels` are the names of its labels.
   * @param known series that start at 0, as for counters
   */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    labels: Label[],
    buckets: number[],
    known: readonly Partial<Record<Label, string>>[] = [],
  ): Histogram<Label> {
    const histogram = new Histogram({ name, help, labelNames: labels, buckets, registers: [this.#registry] })
    for (const values of known) histogram.zero(values)
    return histogram
  }

  /** Returns what has been counted so far, and the present values of gauges. */
  async totals(): Promise<MetricTotals> {
    const totals = { requests: 0, failedRequests: 0, slowRequests: 0 }
    for (const { value, labels, metricName } of (await this.#requests.get()).values) {
      if (/\/(stream|events)$/.test(String(labels.route))) continue
      if (metricName === `${REQUESTS}_count`) {
        totals.requests += value
        totals.slowRequests += value
        if (Number(labels.status) >= 500) totals.failedRequests += value
      } else if (metricName === `${REQUESTS}_bucket` && 'le' in labels && labels.le === SLOW_SECONDS)
        totals.slowRequests -= value
    }
    return { ...totals, gauge: (name) => this.#gauges.get(name)?.() ?? 0 }
  }

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<string> {
    const parts = [await this.#registry.metrics(), await processRegistry?.metrics()]
    return parts.join('\n')
  }

  /** Content type of `text()`. */
  get contentType(): string {
    return this.#registry.contentType
  }
}

/** Adds what prom-client does not measure: the limits of memory, and how busy the event loop is. */
function addProcessMetrics(registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'nodejs_heap_size_limit_bytes',
    help: 'Size of the heap at which the process ends for want of memory',
    registers,
    collect() {
      this.set(getHeapStatistics().heap_size_limit)
    },
  })
  new Gauge({
    name: 'process_memory_limit_bytes',
    help: 'Memory that the process may use: of its control group, or of the machine',
    registers,
    collect() {
      this.set(memoryLimit())
    },
  })
  new Counter({
    name: 'nodejs_eventloop_active_seconds_total',
    help: 'Time during which the event loop was busy',
    registers,
    collect() {
      this.reset()
      this.inc(performance.eventLoopUtilization().active / 1_000)
    },
  })
}

/** Without a limit, the kernel reports 0 or a number beyond the memory of the machine. */
function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}
