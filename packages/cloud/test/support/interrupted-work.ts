import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { withTimeout } from './test-cloud.ts'

/** What a halting process begins. */
export interface InterruptedWork {
  /** Settings of the cloud whose work it is. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Begins an export for each of these users, and halts in the middle of the first. */
  readonly exportFor?: readonly string[]
  /** Begins the deletion of each of these users, and halts after as many steps as the user's index. */
  readonly deletionOf?: readonly string[]
}

/** Begins work in a process of its own, and kills that process without warning when it is in the middle. */
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
