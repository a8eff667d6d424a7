import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const CLOUD = fileURLToPath(new URL('../cloud/src/main.ts', import.meta.url))

/** A cloud in a process of its own. */
export interface StartedCloud {
  readonly url: string
  readonly child: ChildProcess
  /** Ends the process. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a cloud from its sources, and returns once it serves.
 * @param env its settings
 * @param onLine receives what it prints
 * @throws {Error} with what it printed if it does not start
 */
export async function startCloud(
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void = () => {},
): Promise<StartedCloud> {
  const child = spawn(process.execPath, [CLOUD], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const printed: string[] = []
  const ready = Promise.withResolvers<string>()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    printed.push(line)
    onLine(line)
    const url = /is ready at (\S+?)\/?(?:\s|$)/.exec(line)?.[1]
    if (url !== undefined) ready.resolve(url)
  })
  lines.on('close', () => ready.reject(new Error(`The cloud has not started:\n${printed.join('\n')}`)))
  return {
    url: await ready.promise,
    child,
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}
