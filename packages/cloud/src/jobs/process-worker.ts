import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { PoolWorker } from './worker-pool.ts'

/**
 * Starts a process with the interface of a worker thread, for native code: what ends the process there, such as an
 * instruction that the processor does not have, costs the job and nothing else.
 * @param program file that answers each message with one message; see `serveJobs`
 */
export function startProcessWorker(program: URL): PoolWorker {
  const child = fork(program, [], {
    execArgv: [],
    // No secret of the cloud is in the environment of native code.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return {
    on: child.on.bind(child),
    ref: () => refer(child, 'ref'),
    unref: () => refer(child, 'unref'),
    postMessage: (message) => void child.send(message as object, () => {}),
    async terminate() {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      child.kill('SIGKILL')
      // Its end is waited for, also where nothing else keeps this process running.
      child.ref()
      await exited
      return child.exitCode ?? 1
    },
  }
}

function refer(child: ChildProcess, how: 'ref' | 'unref'): void {
  child[how]()
  child.channel?.[how]()
}
