/** Signals that end the program. SIGHUP: its terminal was closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Time in which further signals are the same request: a terminal and a supervisor signal every process of a program, and
 * npm passes its signals on.
 */
const ONE_REQUEST_MS = 2_000

/**
 * Stops the program gracefully when it is first told to end. A signal that arrives more than two seconds later ends it
 * immediately, with code 1.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let firstAt: number | undefined
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        stop(signal)
      } else if (performance.now() - firstAt > ONE_REQUEST_MS) process.exit(1)
    })
}
