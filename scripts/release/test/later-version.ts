import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { turnIntoNextVersion } from '@glasses-cloud/cloud/test/next-version'
import { VERSION } from './artifacts.ts'
import { checked } from './bare-root.ts'
import { commitTimeOfProject, copyProject } from './project-copy.ts'

/** A single file of a later version. */
export interface LaterFile {
  readonly version: string
  readonly file: string
}

/**
 * Makes the single file of a version that poses as the next minor one, with an additional migration.
 * @param folder a new folder on the file system of the project
 */
export function makeLaterFile(folder: string): LaterFile {
  const copy = join(folder, 'later')
  copyProject(copy)
  const version = turnIntoNextVersion(join(copy, 'packages/cloud'))
  const manifest = join(copy, 'package.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace(`"version": "${VERSION}"`, `"version": "${version}"`))
  const out = join(folder, 'release')
  const build = 'cd "$1" && exec "$2" scripts/release.ts --only file --cpu "$3" --out "$4"'
  const env = { ...process.env, SOURCE_DATE_EPOCH: commitTimeOfProject() }
  checked('sh', ['-c', build, 'sh', copy, process.execPath, process.arch, out], env)
  return { version, file: join(out, `glasses-cloud-${version}-linux-${process.arch}`) }
}
