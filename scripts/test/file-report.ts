import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What became of a test file. Places are titles: `suite › test`. */
export interface FileReport {
  /** The number of tests, skipped ones included; those of a skipped suite are unknown. */
  tests: number
  readonly failures: { readonly place: string; readonly error: string }[]
  readonly skipped: { readonly place: string; readonly reason: string }[]
  readonly durations: { readonly place: string; readonly ms: number }[]
}

/** Fields of events of node:test; its type declarations lack the ids. */
interface TestData {
  readonly name: string
  readonly nesting: number
  readonly testId?: number
  readonly parentId?: number
}

type CompleteData = Extract<TestEvent, { type: 'test:complete' }>['data'] & TestData

/** The name of the suite that contains a file. No pattern of `--name` matches it. */
export const FILE_SUITE = '\u2060'

export function emptyReport(): FileReport {
  return { tests: 0, failures: [], skipped: [], durations: [] }
}

/** Collects the events of one file after another. */
export class ReportCollector {
  #report = emptyReport()
  /** Title and parent of each test of the file, by the id of node:test. */
  readonly #titles = new Map<number, TestData>()
  #onComplete: (() => void) | undefined

  /** Resolves when the last event of the file has been received. */
  completed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onComplete = resolve
    })
  }

  handle(event: TestEvent): void {
    if (event.type === 'test:enqueue') {
      const data = event.data as TestData
      if (data.testId !== undefined) this.#titles.set(data.testId, data)
    } else if (event.type === 'test:complete') {
      this.#complete(event.data as CompleteData)
    }
  }

  /** Adds a failure that belongs to no test. */
  fail(error: unknown, place = ''): void {
    this.#report.failures.push({ place, error: describe(error) })
  }

  /** Returns the report of the file, and begins that of the next one. */
  take(): FileReport {
    const report = this.#report
    this.#report = emptyReport()
    this.#titles.clear()
    return report
  }

  #complete(data: CompleteData): void {
    const { details, skip, todo } = data
    const place = this.#place(data)
    if (details.type !== 'suite') {
      this.#report.tests += 1
      this.#report.durations.push({ place, ms: details.duration_ms })
    }
    const reason = skip ?? todo
    if (reason !== undefined && reason !== false) {
      const text = typeof reason === 'string' && reason !== '' ? reason : 'no reason given'
      this.#report.skipped.push({ place, reason: text })
    } else if (!details.passed) {
      const { error } = details
      const isOfSubtests =
        error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed'
      if (!isOfSubtests) this.fail(error?.cause ?? error, place)
    }
    if (data.nesting === 0) this.#onComplete?.()
  }

  /** The titles of a test and of the suites around it, without the suite of the file. */
  #place(data: TestData): string {
    const titles: string[] = []
    for (let test: TestData | undefined = data; test !== undefined && test.nesting > 0; ) {
      titles.unshift(test.name)
      test = this.#titles.get(test.parentId ?? -1)
    }
    return titles.join(' › ')
  }
}

function describe(error: unknown): string {
  return typeof error === 'string' ? error : inspect(error, { depth: 8 })
}
