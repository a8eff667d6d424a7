import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type LockedPackage, type Lockfile, packageName, packagesOf } from './lockfile.ts'

/** The library, ONNX Runtime, and the eSpeak NG that its speech synthesis contains (ADR 59). */
const SHERPA_ONNX = 'Apache-2.0 AND MIT AND GPL-3.0-or-later'

/** Licenses of packages that declare one in their README only, or not those of the libraries in them. */
const LICENSES: Readonly<Record<string, string>> = {
  '@mentra/sdk': 'MIT',
  'sherpa-onnx-linux-arm64': SHERPA_ONNX,
  'sherpa-onnx-linux-x64': SHERPA_ONNX,
}

/** A package that a release contains, as files or as modules of a bundle. */
export interface ContainedPackage {
  readonly name: string
  /** Where it is installed. */
  readonly folder: string
  readonly locked: LockedPackage
}

/**
 * Lists the packages in a release, each version of a name once.
 * @param modules paths of the bundled modules, relative to the project
 * @param files folders of the packages that are contained as files, by their folder in the lockfile
 * @throws {Error} for a module of a package that is not locked
 */
export function containedPackages(
  root: string,
  lockfile: Lockfile,
  modules: readonly string[],
  files: ReadonlyMap<string, string>,
): ContainedPackage[] {
  const packages = new Map<string, ContainedPackage>()
  for (const path of [...packagesOf(modules), ...files.keys()]) {
    const folder = files.get(path) ?? join(root, path)
    const locked = lockfile[path]
    if (locked?.version === undefined || !existsSync(folder))
      throw new Error(`${path} is not in package-lock.json.`)
    const name = packageName(path)
    const license = LICENSES[name] ?? locked.license
    const declared = license === undefined ? locked : { ...locked, license }
    packages.set(`${name}@${locked.version}`, { name, folder, locked: declared })
  }
  return [...packages.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}
