import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameOf, type Platform } from './platform.ts'

/** An entry of package-lock.json. */
export interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  /** SPDX expression. */
  readonly license?: string
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The packages of package-lock.json by their folder, such as `node_modules/sharp`. */
export type Lockfile = Readonly<Record<string, LockedPackage>>

export function readLockfile(root: string): Lockfile {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/** Folders of the named packages and of all that they depend on, on a platform. */
export function withDependencies(lockfile: Lockfile, names: readonly string[], platform: Platform): string[] {
  const folders = new Set<string>()
  const add = (folder: string) => {
    if (folders.has(folder)) return
    folders.add(folder)
    const { dependencies, optionalDependencies } = lockfile[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolve(lockfile, folder, name)
      if (found !== undefined && runsOn(lockfile[found], platform)) add(found)
    }
  }
  for (const name of names) add(`node_modules/${name}`)
  return [...folders].sort()
}

/** The folders of the packages that contain modules. @param modules paths relative to the project */
export function packagesOf(modules: readonly string[]): string[] {
  const folders = modules.flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  )
  return [...new Set(folders)].sort()
}

/** Whether a package is for one platform only. */
export function isForOnePlatform({ os, cpu }: LockedPackage): boolean {
  return os !== undefined || cpu !== undefined
}

/** The name of a package in a folder of node_modules. */
export function packageName(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** The package of Node.js for a platform. */
export function nodePackage(platform: Platform): string {
  return `node-${nameOf(platform)}`
}

/** The folder of a dependency, in Node's order. */
function resolve(lockfile: Lockfile, folder: string, name: string): string | undefined {
  const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
  if (candidate in lockfile) return candidate
  if (folder === '') return undefined
  return resolve(lockfile, folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name)
}

function runsOn(locked: LockedPackage | undefined, platform: Platform): boolean {
  const matches = (values: string | readonly string[] | undefined, value: string) =>
    values === undefined || [values].flat().includes(value)
  return (
    matches(locked?.os, platform.os) && matches(locked?.cpu, platform.cpu) && matches(locked?.libc, 'glibc')
  )
}
