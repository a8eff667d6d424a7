import { NO_TRACING, type Span, type TraceParent, type Tracing } from '../tracing/index.ts'

/** Starts of one node that are traced at a time; those beyond it are not. */
const MAX_STARTS = 1_000

/** The starts of apps in progress on this node: what connects the call of the app server with the socket of the app. */
export class AppStartTraces {
  readonly #tracing: Tracing
  readonly #spans = new Map<string, Span>()

  constructor(tracing: Tracing = NO_TRACING) {
    this.#tracing = tracing
  }

  /** Begins the start of an app, as part of the current trace or of one of its own. @returns its context */
  begin(userId: string, packageName: string): TraceParent | undefined {
    if (!this.#tracing.isOn) return undefined
    const key = keyOf(userId, packageName)
    this.#spans.get(key)?.end('REPEATED')
    this.#spans.delete(key)
    if (this.#spans.size >= MAX_STARTS) return undefined
    const span = this.#tracing.start('app.start', { attributes: { 'app.package_name': packageName } })
    this.#spans.set(key, span)
    return span.context
  }

  /** Attaches the socket of an app, in a span if its start is in progress. */
  attach<Result>(userId: string, packageName: string, task: () => Promise<Result>): Promise<Result> {
    return this.#step('app.attach', userId, packageName, task)
  }

  /** Stores that an app runs, which ends its start. */
  async running<Result>(userId: string, packageName: string, task: () => Promise<Result>): Promise<Result> {
    const result = await this.#step('app.running', userId, packageName, task)
    this.end(userId, packageName)
    return result
  }

  #step<Result>(
    name: 'app.attach' | 'app.running',
    userId: string,
    packageName: string,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const parent = this.#spans.get(keyOf(userId, packageName))?.context
    return parent === undefined ? task() : this.#tracing.run(name, { parent }, task)
  }

  /** Ends the start of an app. @param error the code of its failure; undefined if the app runs */
  end(userId: string, packageName: string, error?: string): void {
    const key = keyOf(userId, packageName)
    this.#spans.get(key)?.end(error)
    this.#spans.delete(key)
  }

  /** Ends the starts of a session that has ended. */
  endSession(userId: string): void {
    for (const [key, span] of this.#spans) {
      if (!key.startsWith(keyOf(userId, ''))) continue
      span.end('SESSION_ENDED')
      this.#spans.delete(key)
    }
  }
}

const keyOf = (userId: string, packageName: string) => `${userId} ${packageName}`
