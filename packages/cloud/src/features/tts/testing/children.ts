import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

interface Child {
  readonly pid: number
  readonly program: string
  /** State in `/proc`: R is running, S is sleeping. */
  readonly state: string
}

/** Returns the ids of the child processes that run a program. */
export function childProcessIds(program: string): number[] {
  return childrenOf([program]).map(({ pid }) => pid)
}

/** Resolves when no child process runs any of the programs. Polls, because a test cannot subscribe to their exit. */
export async function childrenExited(programs: readonly string[]): Promise<void> {
  await until(() => childrenOf(programs).length === 0, `${programs.join(' or ')} is still running`)
}

/** Resolves when all programs stay blocked on their output. @throws if one exits before */
export async function childrenBlocked(programs: readonly string[]): Promise<void> {
  let sleepingPolls = 0
  let hasStarted = false
  await until(() => {
    const found = childrenOf(programs)
    hasStarted ||= found.length === programs.length
    if (hasStarted && found.length < programs.length)
      throw new Error('a program has exited before it was blocked')
    sleepingPolls = hasStarted && found.every(({ state }) => state === 'S') ? sleepingPolls + 1 : 0
    return sleepingPolls === 10
  }, 'the programs were not blocked in time')
}

function childrenOf(programs: readonly string[]): Child[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name)) return []
      const line = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [, program = '', state = '', parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(line) ?? []
      const isChild = Number(parent) === process.pid && state !== 'Z' && programs.includes(program)
      return isChild ? [{ pid: Number(name), program, state }] : []
    } catch {
      // The process exited while it was read.
      return []
    }
  })
}

async function until(condition: () => boolean, message: string): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(message)
    await pause(5)
  }
}
