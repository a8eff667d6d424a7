/** A part of the shutdown. */
export interface ShutdownTask {
  /** Unique; named in the log if the task fails or does not complete. */
  readonly name: string
  run(): Promise<unknown> | undefined
}

export interface ShutdownOptions {
  readonly deadlineMs: number
  readonly log: { error(fields: object, message: string): void }
}

/**
 * Runs the phases of a shutdown in order, and the tasks of each phase in parallel. A task that fails is logged and does
 * not keep others from running. Resolves at the deadline even if tasks are pending.
 */
export async function shutDown(
  phases: readonly (readonly ShutdownTask[])[],
  { deadlineMs, log }: ShutdownOptions,
): Promise<void> {
  const pending = new Set(phases.flat().map(({ name }) => name))
  const runTask = async ({ name, run }: ShutdownTask) => {
    try {
      await run()
    } catch (err) {
      log.error({ err, task: name }, 'shutdown: task failed')
    } finally {
      pending.delete(name)
    }
  }
  const runPhases = async () => {
    for (const phase of phases) await Promise.all(phase.map(runTask))
  }
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    log.error({ pending: [...pending] }, 'shutdown: deadline exceeded')
    resolve()
  }, deadlineMs)
  await Promise.race([runPhases(), deadline])
  clearTimeout(timer)
}
