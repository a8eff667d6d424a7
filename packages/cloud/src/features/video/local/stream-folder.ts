import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** `<pid>.<random>`: the random part tells processes with the same id apart, as in containers. */
const NAME = /^(\d+)\.[0-9a-f-]{36}$/

/** Folders of the clouds in this process. */
const ownFolders = new Set<string>()

/**
 * Creates a folder for the files of this process, and removes the folders of processes that ended without removing
 * theirs.
 */
export async function openStreamFolder(parent: string): Promise<string> {
  const folder = join(parent, `${process.pid}.${randomUUID()}`)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent)) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN)
    if (!Number.isNaN(pid) && !ownFolders.has(join(parent, name)) && !isAliveElsewhere(pid))
      await rm(join(parent, name), { recursive: true, force: true })
  }
  await mkdir(folder, { mode: 0o700 })
  ownFolders.add(folder)
  return folder
}

/** Removes the folder of this process. */
export async function removeStreamFolder(folder: string): Promise<void> {
  ownFolders.delete(folder)
  await rm(folder, { recursive: true, force: true })
}

/** Whether another process has the id; a folder that names the id of this process is from a previous container. */
export function isAliveElsewhere(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Without permission the process exists, and belongs to another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
