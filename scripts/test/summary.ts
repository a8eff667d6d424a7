import { relative } from 'node:path'
import type { FileResult } from './worker-pool.ts'

/** A reason that more tests than this have in common is printed with the number of their files, not with their titles. */
const MAX_LISTED_PER_REASON = 3

interface Skipped {
  readonly file: string
  readonly place: string
  readonly reason: string
}

/** Prints one line per completed file, then the failures with the output of their files, what was skipped and the totals. */
export class Summary {
  tests = 0
  #passed = 0
  readonly skipped: Skipped[] = []
  /** One line per failure. */
  readonly failed: string[] = []
  readonly #details: string[] = []
  readonly #files: { readonly ms: number; readonly place: string }[] = []
  readonly #durations: { readonly ms: number; readonly place: string }[] = []
  readonly #root: string
  readonly #isFiltered: boolean
  readonly #print: (line: string) => void

  /**
   * @param root paths are printed relative to this folder
   * @param isFiltered whether tests are selected by name, so that a file may run none
   * @param print receives one or more lines without the final line break
   */
  constructor(root: string, isFiltered: boolean, print: (line: string) => void) {
    this.#root = root
    this.#isFiltered = isFiltered
    this.#print = print
  }

  /** Adds the result of a file. */
  add({ file: path, ms, report, output }: FileResult): void {
    const file = relative(this.#root, path)
    const at = (place: string) => (place === '' ? file : `${file} › ${place}`)
    const { tests, skipped, durations } = report
    const failures = [...report.failures]
    if (tests === 0 && failures.length + skipped.length === 0 && !this.#isFiltered)
      failures.push({ place: '', error: 'It contains no test.' })
    this.tests += tests
    const notPassed = failures.filter(({ place }) => place !== '').length + skipped.length
    this.#passed += Math.max(0, tests - notPassed)
    this.skipped.push(...skipped.map(({ place, reason }) => ({ file, place: at(place), reason })))
    this.#files.push({ ms, place: file })
    this.#durations.push(...durations.map((each) => ({ ms: each.ms, place: at(each.place) })))
    for (const { place, error } of failures) {
      this.failed.push(at(place))
      this.#details.push(`✖ ${at(place)}\n${indent(error)}`)
    }
    if (failures.length > 0 && output !== '')
      this.#details.push(indent(`Output of ${file}:\n${indent(output.trimEnd())}`))
    if (tests === 0 && skipped.length === 0 && failures.length === 0) return
    const ran = tests === 0 && skipped.length > 0 ? 'skipped' : count(tests, 'test')
    this.#print(`${failures.length === 0 ? '✔' : '✖'} ${file} (${ran}, ${seconds(ms)})`)
  }

  /** The files in which a test or suite was skipped. */
  get skippedFiles(): string[] {
    return [...new Set(this.skipped.map(({ file }) => file))].sort()
  }

  /** Prints the files and the tests that took longest, `number` of each. */
  printSlowest(number: number): void {
    if (number === 0) return
    for (const [title, durations] of [
      ['Slowest files', this.#files],
      ['Slowest tests', this.#durations],
    ] as const) {
      const slowest = durations.toSorted((one, other) => other.ms - one.ms).slice(0, number)
      this.#print(`\n${title}:\n${slowest.map(({ ms, place }) => `  ${seconds(ms)}  ${place}`).join('\n')}`)
    }
  }

  /**
   * Prints failures, skipped tests and totals.
   * @param listsAllSkipped whether each skipped test is printed, however many have the same reason
   */
  print(listsAllSkipped: boolean, startedAt: number): void {
    for (const detail of this.#details) this.#print(`\n${detail}`)
    if (this.failed.length > 0)
      this.#print(`\nFailed:\n${this.failed.map((line) => `  ✖ ${line}`).join('\n')}`)
    if (this.skipped.length > 0) this.#print(`\nSkipped:\n${this.#describeSkipped(listsAllSkipped)}`)
    this.#print(
      `\n${this.#passed} passed, ${this.failed.length} failed, ${this.skipped.length} skipped in ${seconds(performance.now() - startedAt)}`,
    )
  }

  /** One line per reason, so that a machine without an optional part gets a short list. */
  #describeSkipped(listsAll: boolean): string {
    const byReason = Map.groupBy(this.skipped, ({ reason }) => reason)
    const lines = [...byReason].flatMap(([reason, skipped]) => {
      if (listsAll || skipped.length <= MAX_LISTED_PER_REASON)
        return skipped.map(({ place }) => `${place} (${reason})`)
      const files = new Set(skipped.map(({ file }) => file)).size
      return [`tests in ${count(files, 'file')}: ${reason}`]
    })
    return lines.map((line) => `  ﹣ ${line}`).join('\n')
  }
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
