import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Numbers of the process (memory, event loop, …); one set however many clouds a process runs, as tests do. */
let processRegistry: Registry | undefined

/** What the cloud counts, for Prometheus. Labels are few and fixed: never a user, a package or an address. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.#registry],
  })

  constructor() {
    if (processRegistry === undefined) {
      processRegistry = new Registry()
      collectDefaultMetrics({ register: processRegistry })
    }
  }

  /** Notes an answered request; `route` is the pattern, never the address. */
  request(method: string, route: string, status: number, seconds: number): void {
    this.#requests.labels(method, route, String(status)).observe(seconds)
  }

  /** A value read whenever metrics are collected, such as the number of live sessions. */
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

  /** A number that only grows; `labels` are the names of its dimensions. */
  counter<Label extends string = never>(name: string, help: string, labels: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: [this.#registry] })
  }

  /** Everything in Prometheus' text format. */
  async text(): Promise<string> {
    const parts = [await this.#registry.metrics(), await processRegistry?.metrics()]
    return parts.join('\n')
  }

  /** MIME type of `text()`. */
  get contentType(): string {
    return this.#registry.contentType
  }
}
