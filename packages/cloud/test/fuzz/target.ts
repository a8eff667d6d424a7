/** Something that reads bytes from outside. */
export interface FuzzTarget {
  /** Longest input, in bytes. */
  readonly maxBytes: number
  /** Prepares to run inputs. */
  open(): Promise<OpenTarget> | OpenTarget
}

/** A target that is ready to run inputs. */
export interface OpenTarget {
  /** Inputs to begin with, and from which others are made. */
  readonly seeds: readonly (string | Uint8Array)[]
  /** Parts that inputs are made of. */
  readonly dictionary?: readonly (string | Uint8Array)[]
  /** Reads an input, and checks what the reader promises. @throws an error that is a finding */
  run(input: Buffer): Promise<void> | void
  close?(): Promise<void>
}

/** Processor time for one input, far above what any takes. */
const MAX_INPUT_MS = 500

/** Runs an input. @throws the error of the target; Error if the input takes too long, three times */
export async function runInput({ run }: Pick<OpenTarget, 'run'>, input: Buffer): Promise<void> {
  let ms = 0
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const started = process.cpuUsage()
    await run(input)
    const { user, system } = process.cpuUsage(started)
    ms = (user + system) / 1_000
    if (ms < MAX_INPUT_MS) return
  }
  throw new Error(`The input takes ${Math.round(ms)} ms of the processor`)
}
