import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Coverage } from './coverage.ts'
import { Mutator, seededRandom } from './mutate.ts'
import { type FuzzTarget, type OpenTarget, runInput } from './target.ts'

const FOLDER = import.meta.dirname

/** Returns the names of the targets, sorted. */
export function targetNames(): string[] {
  return globSync('*.ts', { cwd: join(FOLDER, 'targets') })
    .map((file) => basename(file, '.ts'))
    .sort()
}

export async function loadTarget(name: string): Promise<FuzzTarget> {
  const { target } = (await import(`./targets/${name}.ts`)) as { readonly target: FuzzTarget }
  return target
}

const corpusFile = (name: string) => join(FOLDER, 'corpus', `${name}.txt`)

/** Returns the inputs in the repository: one to a line, in printable characters, of others `%` and two digits. */
export function readCorpus(name: string): Buffer[] {
  const file = corpusFile(name)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => Buffer.from(unescapeLine(line), 'latin1'))
}

export function writeCorpus(name: string, inputs: readonly Buffer[]): void {
  writeFileSync(corpusFile(name), inputs.map((input) => `${encodeInput(input)}\n`).join(''))
}

/** Returns an input as a line of a corpus. */
export function encodeInput(input: Buffer): string {
  return input
    .toString('latin1')
    .replaceAll(/[^ -$&-~]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function unescapeLine(line: string): string {
  return line.replaceAll(/%([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/** Time that the inputs of a batch take together: reading the coverage takes some milliseconds. */
const BATCH_MS = 60

const MAX_BATCH_INPUTS = 500

/** Bytes by which the process may grow. */
const MAX_GROWTH_BYTES = 1024 * 1024 * 1024

/** Attempts to shorten an input. */
const SHORTEN_ATTEMPTS = 60

/** An input that violates a promise. */
export class Finding extends Error {
  readonly input: Buffer

  constructor(input: Buffer, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.input = input
  }
}

export interface FuzzOptions {
  readonly target: FuzzTarget
  /** Inputs of earlier runs. */
  readonly corpus: readonly Buffer[]
  readonly milliseconds: number
  readonly seed: number
  /** Receives the progress, now and then. */
  report?(progress: Progress): void
}

export interface Progress {
  readonly inputs: number
  readonly blocks: number
  readonly corpus: number
}

/** Result of a run. */
export interface FuzzResult extends Progress {
  /** The fewest inputs that run every block, the shortest first. */
  readonly minimized: readonly Buffer[]
}

/**
 * Runs changed inputs of a corpus, and keeps those that run blocks of the sources that no other ran.
 * @throws Finding
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { target } = options
  const open = await target.open()
  try {
    return await new Fuzzer(options, open).run()
  } finally {
    await open.close?.()
  }
}

class Fuzzer {
  readonly #options: FuzzOptions
  readonly #open: OpenTarget
  readonly #random: () => number
  readonly #mutator: Mutator
  readonly #coverage = new Coverage()
  readonly #known = new Set<string>()
  readonly #corpus: Buffer[] = []
  #inputs = 0

  constructor(options: FuzzOptions, open: OpenTarget) {
    this.#options = options
    this.#open = open
    this.#random = seededRandom(options.seed)
    const { maxBytes } = options.target
    const { dictionary = [] } = open
    this.#mutator = new Mutator({ random: this.#random, dictionary: dictionary.map(toBuffer), maxBytes })
  }

  async run(): Promise<FuzzResult> {
    const { corpus, milliseconds, report } = this.#options
    const initial = [...corpus, ...this.#open.seeds.map(toBuffer)]
    const started = performance.now()
    const memory = process.memoryUsage().rss
    // Code that runs only once, such as that of a cache, belongs to no input.
    for (const input of initial) await this.#runOne(input)
    this.#coverage.take()
    for (const input of inOrder(initial)) await this.#keepNew([input])
    let reported = started
    while (performance.now() - started < milliseconds) {
      await this.#keepNew(await this.#runBatch())
      if (process.memoryUsage().rss - memory > MAX_GROWTH_BYTES) throw new Error('The memory grows')
      if (performance.now() - reported < 30_000) continue
      reported = performance.now()
      report?.(this.#progress())
    }
    const progress = this.#progress()
    const minimized = await this.#minimize()
    this.#coverage.close()
    return { ...progress, minimized }
  }

  #progress(): Progress {
    return { inputs: this.#inputs, blocks: this.#known.size, corpus: this.#corpus.length }
  }

  /** Runs changed inputs for a time. @returns them if they ran new blocks together, otherwise none */
  async #runBatch(): Promise<Buffer[]> {
    const batch: Buffer[] = []
    const end = performance.now() + BATCH_MS
    const pick = () => this.#corpus[Math.floor(this.#random() ** 2 * this.#corpus.length)] ?? Buffer.alloc(0)
    while (performance.now() < end && batch.length < MAX_BATCH_INPUTS) {
      const input = this.#mutator.mutate(pick(), pick)
      batch.push(input)
      await this.#runOne(input)
    }
    return this.#takeNew().size > 0 ? batch : []
  }

  /** Keeps those of the inputs that run new blocks, shortened. */
  async #keepNew(inputs: readonly Buffer[]): Promise<void> {
    if (inputs.length === 0) return
    for (const input of inputs) await this.#runOne(input)
    const found = this.#takeNew()
    if (found.size === 0) return
    if (inputs.length > 1) {
      await this.#keepNew(inputs.slice(0, inputs.length / 2))
      await this.#keepNew(inputs.slice(inputs.length / 2))
    } else if (inputs[0] !== undefined) this.#corpus.unshift(await this.#shorten(inputs[0], found))
    // Also blocks that no half of the inputs ran again: garbage collection and caches.
    for (const block of found) this.#known.add(block)
  }

  /** Removes parts of an input that it does not need to run the blocks. */
  async #shorten(input: Buffer, blocks: ReadonlySet<string>): Promise<Buffer> {
    let shortest = input
    for (let attempt = 0; attempt < SHORTEN_ATTEMPTS && shortest.length > 1; attempt += 1) {
      const length = Math.max(1, shortest.length >> (1 + (attempt % 6)))
      const start = Math.floor(this.#random() * (shortest.length - length + 1))
      const candidate = Buffer.concat([shortest.subarray(0, start), shortest.subarray(start + length)])
      await this.#runOne(candidate)
      const ran = this.#coverage.take()
      if ([...blocks].every((block) => ran.has(block))) shortest = candidate
    }
    return shortest
  }

  /** Returns the fewest inputs, about, that run all blocks. */
  async #minimize(): Promise<Buffer[]> {
    const ran = new Set<string>()
    const kept: Buffer[] = []
    for (const input of inOrder(this.#corpus)) {
      await this.#runOne(input)
      const found = [...this.#coverage.take()].filter((block) => !ran.has(block))
      if (found.length === 0) continue
      kept.push(input)
      for (const block of found) ran.add(block)
    }
    return kept
  }

  #takeNew(): Set<string> {
    return new Set([...this.#coverage.take()].filter((block) => !this.#known.has(block)))
  }

  async #runOne(input: Buffer): Promise<void> {
    this.#inputs += 1
    try {
      await runInput(this.#open, input)
    } catch (error) {
      throw new Finding(input, error)
    }
  }
}

const toBuffer = (part: string | Uint8Array) =>
  typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)

const inOrder = (inputs: readonly Buffer[]) => inputs.toSorted((a, b) => a.length - b.length)
