import { monitorEventLoopDelay } from 'node:perf_hooks'

/** A command that a benchmark sends to a server process over its IPC channel. */
export type Command =
  /** Processor time so far, in µs. */
  | { readonly command: 'cpu' }
  /** Bytes of the live heap and external memory, after a garbage collection. */
  | { readonly command: 'live-memory' }
  /** Resident memory in bytes, without a garbage collection. */
  | { readonly command: 'resident-memory' }
  /** Starts to measure the delay of the event loop. */
  | { readonly command: 'watch-loop' }
  /** Longest delay of the event loop since `watch-loop`, in ms. */
  | { readonly command: 'longest-block' }
  /** Bare server only: serve this body. */
  | {
      readonly command: 'serve'
      readonly path: string
      readonly body: string
      readonly contentType: string
    }
  /** Bare server only: ping all sockets every 10 s in one tick. */
  | { readonly command: 'ping-sockets' }
  /** Cloud only: register the app of the benchmarks; returns its API key. */
  | { readonly command: 'register-app'; readonly appUrl: string }
  /** Cloud only: create inputs of managed streams with these outputs; returns the URLs to publish to. */
  | { readonly command: 'create-inputs'; readonly outputs: readonly (readonly string[])[] }
  /** Cloud only: insert apps, users, installs and photos. */
  | { readonly command: 'seed'; readonly counts: SeedCounts }

/** Number of rows to insert. */
export interface SeedCounts {
  readonly apps: number
  readonly users: number
  readonly installs: number
  readonly photos: number
}

/** Resolution of the event-loop monitor: delays below it are not distinguished. */
const LOOP_RESOLUTION_MS = 1

const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })

/** Runs the commands that every server supports; `undefined` for the others. */
export function runCommonCommand({ command }: Command): number | undefined {
  switch (command) {
    case 'cpu': {
      const { user, system } = process.cpuUsage()
      return user + system
    }
    case 'live-memory': {
      if (!globalThis.gc) throw new Error('Start this process with --expose-gc')
      for (let round = 0; round < 3; round += 1) globalThis.gc()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    case 'resident-memory':
      return process.memoryUsage.rss()
    case 'watch-loop':
      loop.enable()
      loop.reset()
      return 0
    case 'longest-block': {
      const longestMs = loop.max / 1e6
      loop.disable()
      return longestMs
    }
    default:
      return undefined
  }
}
