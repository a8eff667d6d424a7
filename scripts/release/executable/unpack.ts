import { hash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { PackedIndex } from './index-of.ts'

/** Number of versions that are kept: a running cloud loads parts of its program when it first needs them. */
const KEPT_VERSIONS = 3

/** A folder of the user in which the program cannot be kept; the message says what to do. */
export class UnsafeFolderError extends Error {}

/**
 * Unpacks the program into a folder of its own below `cache`, unless it is there with the same content, and keeps the latest
 * three versions. Nobody else can put code there: the folder belongs to this user, others have no access, and the content
 * of each file is compared at every start.
 * @param contents returns the contents of all files, one after the other
 * @returns the folder of the program
 * @throws {UnsafeFolderError} if another user owns the folder or can write to it
 */
export function unpackProgram(cache: string, index: PackedIndex, contents: () => Buffer): string {
  makePrivate(cache)
  const id = hash('sha256', JSON.stringify(index)).slice(0, 16)
  const folder = join(cache, `${index.version}-${id}`)
  if (isComplete(folder, index)) return folder
  const next = `${folder}.${process.pid}`
  rmSync(next, { recursive: true, force: true })
  write(next, index, contents())
  rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(next, folder)
  } catch (error) {
    // Another process has unpacked the same program.
    rmSync(next, { recursive: true, force: true })
    if (!isComplete(folder, index)) throw error
  }
  removeOldVersions(cache)
  return folder
}

/** Creates a folder, or checks that it belongs to this user alone. */
function makePrivate(folder: string): void {
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST')
      throw new UnsafeFolderError(
        `${folder} cannot be created (${code}): set XDG_CACHE_HOME to a folder that this user can write to.`,
      )
  }
  const { uid, mode } = lstatSync(folder)
  if (!lstatSync(folder).isDirectory() || uid !== process.geteuid?.() || (mode & 0o077) !== 0)
    throw new UnsafeFolderError(
      `${folder} must be a folder of this user that others have no access to: run chmod 700 on it, or set XDG_CACHE_HOME to another folder.`,
    )
}

/** Whether a folder contains the files, each with its content. */
function isComplete(folder: string, { files }: PackedIndex): boolean {
  try {
    return files.every(({ path, sha256 }) => hash('sha256', readFileSync(join(folder, path))) === sha256)
  } catch {
    return false
  }
}

function write(folder: string, { files }: PackedIndex, contents: Buffer): void {
  let offset = 0
  for (const { path, size, sha256 } of files) {
    const content = contents.subarray(offset, offset + size)
    offset += size
    if (hash('sha256', content) !== sha256)
      throw new Error(`This program is damaged (${path}); download it again.`)
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, path), content, { mode: 0o600 })
  }
}

/** Removes versions, and remains of interrupted starts, except the latest. */
function removeOldVersions(cache: string): void {
  const folders = readdirSync(cache)
    .filter((name) => /^\d+\.\d+\.\d+-/.test(name))
    .map((name) => join(cache, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  for (const folder of folders.slice(KEPT_VERSIONS)) rmSync(folder, { recursive: true, force: true })
}
