import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { withTimeout } from './wait-for.ts'

/** The work that the child process starts and never completes. */
export interface InterruptedWork {
  /** The environment of the cloud. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Requests an export for each of these users and stops in the middle of the first. */
  readonly exportFor?: readonly string[]
  /** Starts the deletion of each of these users and stops after as many steps as the index of the user. */
  readonly deletionOf?: readonly string[]
}

/** Starts work in a child process and kills the process half-way. */
export async function startAndKill(work: InterruptedWork): Promise<void> {
  const script = fileURLToPath(new URL('./interrupted-work-main.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(work)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    const halted = once(createInterface({ input: child.stdout }), 'line')
    const [line] = await withTimeout(
      20_000,
      Promise.race([halted, exited]),
      'the process did not get half-way',
    )
    if (line !== 'half-way') throw new Error(`the process ended with ${line}`)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}
