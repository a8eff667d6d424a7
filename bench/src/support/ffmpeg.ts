import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the processor-time counters in /proc. */
const TICKS_PER_SECOND = 100

/** Runs ffmpeg to its end. @throws Error if it fails */
export async function ffmpeg(args: readonly string[]): Promise<void> {
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

/** Use of the machine by the child processes of a process. */
export function childUse(parent: number): {
  readonly count: number
  readonly cpuMs: number
  readonly memoryBytes: number
} {
  let [count, cpuMs, memoryBytes] = [0, 0, 0]
  for (const pid of readdirSync('/proc')) {
    const stat = /^\d+$/.test(pid) ? read(`/proc/${pid}/stat`) : undefined
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(fields?.[1]) !== parent) continue
    count += 1
    cpuMs += ((Number(fields?.[11]) + Number(fields?.[12])) * 1_000) / TICKS_PER_SECOND
    const privateKb = /^RssAnon:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
    memoryBytes += Number(privateKb ?? 0) * 1_024
  }
  return { count, cpuMs, memoryBytes }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process ended meanwhile.
    return undefined
  }
}
