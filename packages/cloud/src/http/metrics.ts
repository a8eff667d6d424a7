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
    }
    if (node === undefined) return
    for (const registry of [this.#registry, processRegistry]) registry.setDefaultLabels({ node })
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

  /** Adds a counter; `labels` are the names of its labels. */
  counter<Label extends string = never>(name: string, help: string, labels: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: [this.#registry] })
  }

  /** Adds a histogram; `labels` are the names of its labels. */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    labels: Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames: labels, buckets, registers: [this.#registry] })
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
