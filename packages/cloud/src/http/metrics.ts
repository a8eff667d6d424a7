import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Interval at which the event loop delay is measured; the default of 10 ms costs 4 to 9 ms of processor time a second. */
const EVENT_LOOP_RESOLUTION_MS = 200

/** Metrics of the process, shared by all clouds in it. */
let processRegistry: Registry | undefined

/** Metrics for Prometheus. Labels have a fixed set of values: never a user, a package or an address. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.#registry],
  })

  constructor() {
    if (processRegistry === undefined) {
      processRegistry = new Registry()
      collectDefaultMetrics({
        register: processRegistry,
        eventLoopMonitoringPrecision: EVENT_LOOP_RESOLUTION_MS,
      })
    }
  }

  /** Records a request; `route` is the pattern of the route. */
  request(method: string, route: string, status: number, seconds: number): void {
    this.#requests.labels(method, route, String(status)).observe(seconds)
  }

  /** Adds a gauge, which is read when metrics are collected. */
  gauge(name: string, help: string, read: () => number): void {
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
