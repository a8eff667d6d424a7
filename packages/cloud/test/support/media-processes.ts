import { readdir, readFile } from 'node:fs/promises'

/** A running ffmpeg process. */
export interface MediaProcess {
  readonly pid: number
  readonly parent: number
  /** As other accounts see it. */
  readonly commandLine: string
}

/** Returns the running ffmpeg processes of a parent process; of this one by default. */
export async function mediaProcesses(parent: number = process.pid): Promise<MediaProcess[]> {
  const found = await Promise.all(
    (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readProcess),
  )
  return found.filter((one) => one !== undefined).filter((one) => one.parent === parent)
}

async function readProcess(pid: string): Promise<MediaProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const [, name, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(stat) ?? []
    if (name !== 'ffmpeg' || state === 'Z') return undefined
    const commandLine = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
    return { pid: Number(pid), parent: Number(parent), commandLine }
  } catch {
    // It ended meanwhile.
    return undefined
  }
}
