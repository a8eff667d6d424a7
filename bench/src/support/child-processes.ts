import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

/** Runs ffmpeg to its end. @throws Error if it fails */
export async function ffmpeg(args: readonly string[]): Promise<void> {
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

/** Ticks of the processor-time counters in /proc. */
const TICKS_PER_SECOND = 100

/** Use of the machine by child processes. */
export interface ChildUse {
  readonly count: number
  /** User and system time of those that run. */
  readonly cpuMs: number
  /** User and system time of those that have ended. */
  readonly endedCpuMs: number
  /** Private memory now. */
  readonly memoryBytes: number
  /** Resident memory, private and shared: each at its maximum so far. */
  readonly peakResidentBytes: number
}

/** Measures the child processes of a process. @throws Error on systems without /proc */
export function childUse(parent: number): ChildUse {
  let [count, cpuMs, memoryBytes, peakResidentBytes] = [0, 0, 0, 0]
  for (const pid of readdirSync('/proc')) {
    const fields = /^\d+$/.test(pid) ? statOf(pid) : undefined
    if (Number(fields?.[1]) !== parent) continue
    count += 1
    cpuMs += msOf(fields?.slice(11, 13))
    const status = read(`/proc/${pid}/status`) ?? ''
    memoryBytes += bytesOf(status, 'RssAnon')
    peakResidentBytes += bytesOf(status, 'VmHWM')
  }
  const endedCpuMs = msOf(statOf(parent)?.slice(13, 15))
  return { count, cpuMs, endedCpuMs, memoryBytes, peakResidentBytes }
}

/** The fields of `/proc/PID/stat` that follow the name of the program. */
function statOf(pid: number | string): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function msOf(ticks: readonly string[] = []): number {
  return (ticks.reduce((sum, each) => sum + Number(each), 0) * 1_000) / TICKS_PER_SECOND
}

function bytesOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1_024
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process ended meanwhile.
    return undefined
  }
}
