import { type Profiler, Session } from 'node:inspector'

/** Sources whose coverage does not count: those of Node, of the fuzzer, and of libraries that read no bytes. */
const IGNORED_SCRIPT =
  /^node:|\/test\/fuzz\/(?!targets\/|[^/]*\.test\.ts$)|\/node_modules\/(?!lc3codec|@fastify\/busboy)/

/** The blocks of the sources that ran, as V8 counts them. */
export class Coverage {
  readonly #session = new Session()
  /** Where blocks begin, by function. V8 reports a block only if it did not run as often as what contains it. */
  readonly #blocks = new Map<string, Set<number>>()

  constructor() {
    this.#session.connect()
    this.#post('Profiler.enable')
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    this.take()
  }

  /** Returns the blocks that ran since the last call. */
  take(): Set<string> {
    const { result } = this.#post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType
    const blocks = new Set<string>()
    for (const { url, scriptId, functions } of result) {
      if (IGNORED_SCRIPT.test(url)) continue
      for (const { ranges } of functions) this.#addBlocks(`${url || scriptId}:`, ranges, blocks)
    }
    return blocks
  }

  close(): void {
    this.#session.disconnect()
  }

  /** Adds the blocks of a function that ran. @param ranges a range is followed by those that it contains */
  #addBlocks(script: string, ranges: readonly Profiler.CoverageRange[], ran: Set<string>): void {
    const name = `${script}${ranges[0]?.startOffset}`
    let starts = this.#blocks.get(name)
    if (starts === undefined) {
      starts = new Set()
      this.#blocks.set(name, starts)
    }
    for (const { startOffset } of ranges) starts.add(startOffset)
    for (const start of starts) {
      const innermost = ranges.findLast(
        ({ startOffset, endOffset }) => startOffset <= start && start < endOffset,
      )
      if (innermost !== undefined && innermost.count > 0) ran.add(`${name}:${start}`)
    }
  }

  /** V8 answers before `post` returns. */
  #post(method: string, params: object = {}): unknown {
    let outcome: { readonly error: Error | null; readonly value: unknown } | undefined
    const done = (error: Error | null, value: unknown) => {
      outcome = { error, value }
    }
    this.#session.post(method, params, done)
    if (outcome === undefined) throw new Error(`${method} was not answered`)
    if (outcome.error !== null) throw outcome.error
    return outcome.value
  }
}
