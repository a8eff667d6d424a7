import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import list from 'spdx-license-list/full.js'
import type { ContainedPackage } from './contained-packages.ts'

const LICENSE_FILES = '{LICEN[CS]E,COPYING,NOTICE,license,licence,License}*'

/** Licenses whose complete text has to accompany the libraries in libvips. */
const TEXTS_OF_LIBVIPS = ['LGPL-3.0-or-later', 'GPL-3.0-or-later', 'MPL-1.1']

/** The licenses of all packages in a release, and of what Node.js and libvips contain. */
export function licensesOf(packages: readonly ContainedPackage[]): string {
  const sections = packages.map(({ name, folder, locked }) => {
    const head = `${name} ${locked.version}\nLicense: ${locked.license ?? 'see below'}\n`
    return [head, ...textsOf(name, folder, locked.license)].join('\n')
  })
  const start = 'Glasses Cloud contains the following software.\n'
  return [start, ...sections].join(`\n${'='.repeat(80)}\n\n`)
}

function textsOf(name: string, folder: string, license: string | undefined): string[] {
  const files = globSync(LICENSE_FILES, { cwd: folder, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => file.name)
    .sort()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  // Its page names the license of each library in it, and where their sources are.
  if (name.startsWith('@img/sharp-libvips-'))
    return [readFileSync(join(folder, 'README.md'), 'utf8'), ...TEXTS_OF_LIBVIPS.map(textOf)]
  if (texts.length > 0) return texts
  return (license ?? '').split(/ (?:AND|OR) |[()]/).map(textOf)
}

/** The text of an SPDX license; empty for a name that is none. */
function textOf(id: string): string {
  return list[id]?.licenseText ?? ''
}
