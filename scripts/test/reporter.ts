import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

export interface TestRunResult {
  /** The result of node:test. It ignores files without tests; those are in `failed`. */
  success: boolean
  /** Number of tests that ran, skipped ones included. node:test counts a file without tests as one. */
  tests: number
  /** Every skipped or `todo` test or suite. */
  readonly skipped: SkippedTest[]
  /** One line per failed test. */
  readonly failed: string[]
}

/** A test or suite that did not run. */
export interface SkippedTest {
  readonly file: string
  readonly place: string
  readonly reason: string
}

/** Results and output of one test file, printed at the end if a test failed. */
interface FileReport {
  /** Title and parent of each test, by the id of node:test. */
  readonly titles: Map<number, { name: string; parentId: number }>
  readonly failures: string[]
  tests: number
  /** Whether a test or suite was skipped. The tests of a skipped suite are unknown. */
  hasSkipped: boolean
  output: string
}

/** How long a file or a test took. */
interface Duration {
  readonly ms: number
  readonly place: string
}

/** Fields common to all events of node:test; its type declarations lack the ids and `entryFile`. */
interface TestData {
  readonly name: string
  readonly nesting: number
  /** The file that defines the test, which may be a shared suite. */
  readonly file?: string
  /** The file whose process runs the test. Absent in events about that file as a whole. */
  readonly entryFile?: string
  readonly testId?: number
  readonly parentId?: number
}

type CompleteData = Extract<TestEvent, { type: 'test:complete' }>['data'] & TestData

/** A reason that more tests than this have in common is printed with the number of their files, not with their titles. */
const MAX_LISTED_PER_REASON = 3

/** Only the end of a file's output is kept, where the failure is. */
const MAX_OUTPUT_CHARS = 100_000

/**
 * Prints the events of node:test: one line per completed file, then the failures with the output of their files, the
 * skipped tests and the totals. Uses `test:complete`, which is emitted immediately; node:test delays other events,
 * such as a file's output, until the preceding files are complete.
 */
export class Reporter {
  readonly result: TestRunResult = { success: false, tests: 0, skipped: [], failed: [] }
  /** The files in which something failed, as they were given to node:test. */
  readonly failedFiles: string[] = []
  readonly #root: string
  readonly #filtered: boolean
  readonly #listsAllSkipped: boolean
  readonly #print: (line: string) => void
  readonly #files = new Map<string, FileReport>()
  readonly #totals: string[] = []
  readonly #fileDurations: Duration[] = []
  readonly #testDurations: Duration[] = []

  /**
   * @param root paths are printed relative to this folder
   * @param options.filtered whether tests are selected by name, so that a file may run none
   * @param options.listsAllSkipped whether each skipped test is printed, however many have the same reason
   * @param print receives one or more lines without the final line break
   */
  constructor(
    root: string,
    options: { readonly filtered: boolean; readonly listsAllSkipped: boolean },
    print: (line: string) => void,
  ) {
    this.#root = root
    this.#filtered = options.filtered
    this.#listsAllSkipped = options.listsAllSkipped
    this.#print = print
  }

  /** Whether every test and every file passed. */
  get passed(): boolean {
    return this.result.success && this.result.failed.length === 0
  }

  handle(event: TestEvent): void {
    switch (event.type) {
      case 'test:enqueue': {
        const { name, testId, parentId } = event.data as TestData
        if (testId !== undefined && !isFile(event.data)) {
          this.#report(event.data).titles.set(testId, { name, parentId: parentId ?? 0 })
        }
        break
      }
      case 'test:stdout':
      case 'test:stderr': {
        const report = this.#report(event.data)
        report.output = (report.output + event.data.message).slice(-MAX_OUTPUT_CHARS)
        break
      }
      case 'test:complete':
        if (isFile(event.data)) this.#completeFile(event.data)
        else this.#completeTest(event.data)
        break
      case 'test:diagnostic':
        if (event.data.file === undefined) this.#totals.push(`ℹ ${event.data.message}`)
        break
      case 'test:summary':
        if (event.data.file !== undefined) break
        this.result.success = event.data.success
        break
    }
  }

  /** Prints the files and the tests that took longest, `count` of each. */
  printSlowest(count: number): void {
    if (count === 0) return
    for (const [title, durations] of [
      ['Slowest files', this.#fileDurations],
      ['Slowest tests', this.#testDurations],
    ] as const) {
      const slowest = durations.toSorted((one, other) => other.ms - one.ms).slice(0, count)
      this.#print(`\n${title}:\n${slowest.map(({ ms, place }) => `  ${seconds(ms)}  ${place}`).join('\n')}`)
    }
  }

  /** Prints failures, skipped tests and totals. Call it after the last event. */
  printSummary(): void {
    const { failed, skipped } = this.result
    for (const { failures, output } of this.#files.values()) {
      if (failures.length === 0) continue
      this.#print(`\n${failures.join('\n\n')}`)
      if (output !== '') this.#print(indent(`Output of its file:\n${indent(output.trimEnd())}`))
    }
    if (failed.length > 0) this.#print(`\nFailed:\n${failed.map((line) => `  ✖ ${line}`).join('\n')}`)
    if (skipped.length > 0) this.#print(`\nSkipped:\n${this.#describeSkipped()}`)
    this.#print(`\n${this.#totals.join('\n')}`)
  }

  #completeTest(data: CompleteData): void {
    const report = this.#report(data)
    if (data.details.type !== 'suite') {
      report.tests += 1
      this.result.tests += 1
      this.#testDurations.push({ ms: data.details.duration_ms, place: this.#place(data) })
    }
    const reason = data.skip ?? data.todo
    if (reason !== undefined && reason !== false) {
      const text = typeof reason === 'string' && reason !== '' ? reason : 'no reason given'
      report.hasSkipped = true
      const place = this.#place(data)
      this.result.skipped.push({ file: processFile(data), place, reason: text })
    } else if (!data.details.passed) {
      const error = data.details.error
      const onlySubtests =
        error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed'
      if (!onlySubtests) this.#fail(report, this.#place(data), inspect(error?.cause ?? error, { depth: 8 }))
    }
  }

  #completeFile(data: CompleteData): void {
    const report = this.#report(data)
    const { passed, duration_ms, error } = data.details
    if (!passed && (report.failures.length === 0 || wasKilled(error)))
      this.#fail(report, data.name, describeExit(error))
    else if (report.tests === 0 && !report.hasSkipped && !this.#filtered)
      this.#fail(report, data.name, 'It contains no test.')
    this.#fileDurations.push({ ms: duration_ms, place: data.name })
    if (report.failures.length > 0) this.failedFiles.push(data.name)
    const tests = report.tests === 0 && report.hasSkipped ? 'skipped' : count(report.tests, 'test')
    this.#print(
      `${report.failures.length === 0 ? '✔' : '✖'} ${data.name} (${tests}, ${seconds(duration_ms)})`,
    )
  }

  /** One line per reason, so that a machine without an optional part gets a short list. */
  #describeSkipped(): string {
    const byReason = Map.groupBy(this.result.skipped, ({ reason }) => reason)
    const lines = [...byReason].flatMap(([reason, skipped]) => {
      if (this.#listsAllSkipped || skipped.length <= MAX_LISTED_PER_REASON)
        return skipped.map(({ place }) => `${place} (${reason})`)
      const files = new Set(skipped.map(({ file }) => file)).size
      return [`tests in ${count(files, 'file')}: ${reason}`]
    })
    return lines.map((line) => `  ﹣ ${line}`).join('\n')
  }

  #fail(report: FileReport, place: string, reason: string): void {
    this.result.failed.push(place)
    report.failures.push(`✖ ${place}\n${indent(reason)}`)
  }

  /** Formats the position of a test as `file › suite › title`. */
  #place(data: TestData): string {
    const { titles } = this.#report(data)
    const ancestors: string[] = []
    for (let id = data.parentId; id !== undefined; ) {
      const parent = titles.get(id)
      if (parent !== undefined) ancestors.unshift(parent.name)
      id = parent?.parentId
    }
    return [relative(this.#root, processFile(data)), ...ancestors, data.name].join(' › ')
  }

  #report(data: { file?: string }): FileReport {
    const file = processFile(data)
    let report = this.#files.get(file)
    if (report === undefined) {
      report = { titles: new Map(), failures: [], tests: 0, hasSkipped: false, output: '' }
      this.#files.set(file, report)
    }
    return report
  }
}

/** Whether an event is about a test file as a whole. */
export function isFile(data: TestData): boolean {
  return data.nesting === 0 && data.entryFile === undefined
}

function processFile(data: { file?: string; entryFile?: string }): string {
  return data.entryFile ?? data.file ?? ''
}

function wasKilled(error: Error | undefined): boolean {
  return error !== undefined && 'signal' in error && error.signal !== null
}

function describeExit(error: Error | undefined): string {
  if (error !== undefined && wasKilled(error)) return 'It did not finish in time and was killed.'
  if (error !== undefined && 'exitCode' in error) return `Its process exited with code ${error.exitCode}.`
  return inspect(error)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
