import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Scope } from './scope.ts'
import { withTimeout } from './wait-for.ts'

/** The default time within which a cloud in a child process must serve or exit. */
const TIMEOUT_MS = 60_000

interface CloudProcessOptions {
  readonly cwd: string
  /** All variables of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** File descriptor for standard error. Default: a pipe, whose lines are reported. */
  readonly log?: number | undefined
  /** The time within which it must serve, and exit after a signal. Default: 60 s. */
  readonly timeoutMs?: number
  /** Receives each line of standard error. */
  onLogLine(line: string): void
}

/** A cloud in a child process, which serves. */
export interface CloudProcess {
  readonly process: ChildProcess
  /** The public URL that it printed, without a trailing slash. */
  readonly url: string
  /** What it printed before it was ready. */
  readonly printed: string
  /** Sends a signal unless it has exited, and resolves with its exit code and signal. */
  end(signal: NodeJS.Signals): Promise<[code: number | null, signal: NodeJS.Signals | null]>
}

/** Runs a command that starts a cloud; the scope kills it. Resolves when the cloud serves. */
export async function startCloudProcess(
  scope: Scope,
  [command = '', ...args]: readonly string[],
  { cwd, env, log, timeoutMs = TIMEOUT_MS, onLogLine }: CloudProcessOptions,
): Promise<CloudProcess> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', log ?? 'pipe'] })
  const exited = once(child, 'exit') as ReturnType<CloudProcess['end']>
  const end = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return withTimeout(timeoutMs, exited, 'the cloud did not exit')
  }
  scope.after(() => end('SIGKILL'))
  const errorLines: string[] = []
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (!line.startsWith('{')) errorLines.push(line)
      onLogLine(line)
    })
  const printed: string[] = []
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      printed.push(line)
      const address = /^Glasses Cloud is ready at (\S+)\/(?: |$)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`the cloud exited with ${code}: ${errorLines.join('\n')}`)))
  })
  const url = await withTimeout(timeoutMs, ready, 'the cloud did not become ready')
  return { process: child, url, printed: printed.join('\n'), end }
}
