import { constants, setPriority } from 'node:os'

/** Makes a child process of the cloud give way to it, and end with it, however it ends. */
export function endWithCloud(): void {
  // Button presses and displays of the cloud come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.on('disconnect', () => process.exit())
  // A terminal sends these to all processes of the cloud, which then decides.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}

/** Runs the program of a process of a worker pool: answers each message. */
export function serveJobs<Message>(run: (message: Message) => Promise<object>): void {
  endWithCloud()
  process.on('message', async (message: Message) => process.send?.(await run(message)))
}

/** Why native code cannot run, as a part of a sentence. */
export const LACKS_INSTRUCTIONS = 'this processor lacks instructions that its native code needs'

/** Describes the end of a process with native code. */
export function describeEnd(
  code: number | null | undefined,
  signal: NodeJS.Signals | null | undefined,
): string {
  const reason = signal === 'SIGILL' ? `: ${LACKS_INSTRUCTIONS}` : ''
  return `its process ended with ${signal ?? code}${reason}`
}
