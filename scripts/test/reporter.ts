import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** How a run ended. */
export interface Outcome {
  /** node's own verdict. It does not know of files that hold no test: `failed` does. */
  success: boolean
  /** How many tests ran, skipped ones included. node's total counts a file without any as one. */
  tests: number
  /** One line a test that was skipped or marked as still to do: where it is and the reason given. */
  readonly skipped: string[]
  /** One line a failed test: where it is. */
  readonly failed: string[]
}

/** What one test file has said; printed at the end if something in it failed. */
interface FileReport {
  /** Title and parent of each test, by node's id for it. */
  readonly titles: Map<number, { name: string; parentId: number }>
  readonly failures: string[]
  tests: number
  output: string
}

/** What every event of node:test says about its test; the ids and `entryFile` are missing from its type declarations. */
interface TestData {
  readonly name: string
  readonly nesting: number
  /** Where the test is written: maybe a suite that several files share. */
  readonly file?: string
  /** The file whose process runs the test. Missing where the event is about that file as a whole. */
  readonly entryFile?: string
  readonly testId?: number
  readonly parentId?: number
}

type Complete = Extract<TestEvent, { type: 'test:complete' }>['data'] & TestData

/** Output kept of one file, in characters: the end of it, where the failure is. */
const maxOutput = 100_000

/**
 * Turns node:test's events into lines for a person: one a file as it ends; at the end everything about what failed,
 * what was skipped, and node's own totals as the last lines. It reads `test:complete`, which comes at once; other
 * events, a file's output among them, are held back until the files before have ended.
 */
export class Reporter {
  readonly outcome: Outcome = { success: false, tests: 0, skipped: [], failed: [] }
  readonly #root: string
  readonly #filtered: boolean
  readonly #print: (line: string) => void
  readonly #files = new Map<string, FileReport>()
  readonly #totals: string[] = []

  /**
   * @param root the folder that paths are shown relative to
   * @param filtered whether tests were chosen by name, so that a file may rightly run none
   * @param print takes one line, or several, without the line break at the end
   */
  constructor(root: string, filtered: boolean, print: (line: string) => void) {
    this.#root = root
    this.#filtered = filtered
    this.#print = print
  }

  /** Takes the next event of the run. */
  take(event: TestEvent): void {
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
        report.output = (report.output + event.data.message).slice(-maxOutput)
        break
      }
      case 'test:complete':
        if (isFile(event.data)) this.#endFile(event.data)
        else this.#endTest(event.data)
        break
      case 'test:diagnostic':
        if (event.data.file === undefined) this.#totals.push(`ℹ ${event.data.message}`)
        break
      case 'test:summary':
        if (event.data.file !== undefined) break
        this.outcome.success = event.data.success
        break
    }
  }

  /** Prints what the run comes to: once, after the last event. */
  end(): void {
    const { failed, skipped } = this.outcome
    for (const { failures, output } of this.#files.values()) {
      if (failures.length === 0) continue
      this.#print(`\n${failures.join('\n\n')}`)
      if (output !== '') this.#print(indent(`Output of its file:\n${indent(output.trimEnd())}`))
    }
    if (failed.length > 0) this.#print(`\nFailed:\n${failed.map((line) => `  ✖ ${line}`).join('\n')}`)
    if (skipped.length > 0) this.#print(`\nSkipped:\n${skipped.map((line) => `  ﹣ ${line}`).join('\n')}`)
    this.#print(`\n${this.#totals.join('\n')}`)
  }

  #endTest(data: Complete): void {
    const report = this.#report(data)
    if (data.details.type !== 'suite') {
      report.tests += 1
      this.outcome.tests += 1
    }
    const reason = data.skip ?? data.todo
    if (reason !== undefined && reason !== false) {
      const why = typeof reason === 'string' && reason !== '' ? reason : 'no reason given'
      this.outcome.skipped.push(`${this.#place(data)} (${why})`)
    } else if (!data.details.passed) {
      const error = data.details.error
      const onlyInside =
        error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed'
      if (!onlyInside) this.#fail(report, this.#place(data), inspect(error?.cause ?? error, { depth: 8 }))
    }
  }

  #endFile(data: Complete): void {
    const report = this.#report(data)
    const { passed, duration_ms, error } = data.details
    if (!passed && (report.failures.length === 0 || wasKilled(error)))
      this.#fail(report, data.name, ending(error))
    else if (report.tests === 0 && !this.#filtered) this.#fail(report, data.name, 'It holds no test.')
    const tests = report.tests === 1 ? '1 test' : `${report.tests} tests`
    this.#print(
      `${report.failures.length === 0 ? '✔' : '✖'} ${data.name} (${tests}, ${(duration_ms / 1000).toFixed(1)} s)`,
    )
  }

  #fail(report: FileReport, place: string, why: string): void {
    this.outcome.failed.push(place)
    report.failures.push(`✖ ${place}\n${indent(why)}`)
  }

  /** `file › group › title`. */
  #place(data: TestData): string {
    const { titles } = this.#report(data)
    const above: string[] = []
    for (let id = data.parentId; id !== undefined; ) {
      const parent = titles.get(id)
      if (parent !== undefined) above.unshift(parent.name)
      id = parent?.parentId
    }
    return [relative(this.#root, processFile(data)), ...above, data.name].join(' › ')
  }

  #report(data: { file?: string }): FileReport {
    const file = processFile(data)
    let report = this.#files.get(file)
    if (report === undefined) {
      report = { titles: new Map(), failures: [], tests: 0, output: '' }
      this.#files.set(file, report)
    }
    return report
  }
}

/** Whether an event speaks of a test file as a whole rather than of a test in it. */
export function isFile(data: TestData): boolean {
  return data.nesting === 0 && data.entryFile === undefined
}

function processFile(data: { file?: string; entryFile?: string }): string {
  return data.entryFile ?? data.file ?? ''
}

function wasKilled(error: Error | undefined): boolean {
  return error !== undefined && 'signal' in error && error.signal !== null
}

/** How the process of a file ended, in words. */
function ending(error: Error | undefined): string {
  if (error !== undefined && wasKilled(error)) return 'It did not end in time and was killed.'
  if (error !== undefined && 'exitCode' in error) return `Its process ended with exit code ${error.exitCode}.`
  return inspect(error)
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
