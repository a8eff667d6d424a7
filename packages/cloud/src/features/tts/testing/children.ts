import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

interface Child {
  readonly pid: number
  readonly program: string
  /** As the kernel says it: R runs, S waits. */
  readonly state: string
}

/** Ids of the processes that this one has started and that run a program of the name. */
export function children(program: string): number[] {
  return childrenOf([program]).map(({ pid }) => pid)
}

/** Waits until no such process is left. Nothing tells a test of the end of what another part has started. */
export async function childrenGone(programs: readonly string[]): Promise<void> {
  await until(() => childrenOf(programs).length === 0, `${programs.join(' or ')} is still at work`)
}

/** Waits until all of them wait, and go on waiting: nobody takes what they make. Fails if one ends first. */
export async function childrenAsleep(programs: readonly string[]): Promise<void> {
  let looks = 0
  let begun = false
  await until(() => {
    const found = childrenOf(programs)
    begun ||= found.length === programs.length
    if (begun && found.length < programs.length) throw new Error('one of them has made all it had to make')
    looks = begun && found.every(({ state }) => state === 'S') ? looks + 1 : 0
    return looks === 10
  }, 'they do not come to rest')
}

function childrenOf(programs: readonly string[]): Child[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name)) return []
      const line = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [, program = '', state = '', parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(line) ?? []
      const ours = Number(parent) === process.pid && state !== 'Z' && programs.includes(program)
      return ours ? [{ pid: Number(name), program, state }] : []
    } catch {
      // It ended while it was looked at.
      return []
    }
  })
}

async function until(condition: () => boolean, otherwise: string): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(otherwise)
    await pause(5)
  }
}
