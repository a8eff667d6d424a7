import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip as gzipCallback, gzipSync } from 'node:zlib'
import { arOf } from './ar.ts'
import { type Contents, installedFolder } from './contents.ts'
import type { Platform } from './platform.ts'
import { tarOf } from './tar.ts'
import { contentOf, type Entry, foldersOf, programFile, type Tree, textFile } from './tree.ts'

const gzip = promisify(gzipCallback)

const DOCUMENTATION = 'usr/share/doc/glasses-cloud'

/** A Debian package to build. */
export interface DebianPackage {
  readonly contents: Contents
  readonly platform: Platform
  readonly version: string
  /** Texts in the documentation of the package: licenses, bill of materials, guides. */
  readonly documentation: Tree
  /** The manual page of the command, in roff. */
  readonly manual: string
  /** Epoch seconds. */
  readonly time: number
}

/** Builds a Debian package from `ops/debian`. The result depends on its arguments only. */
export async function buildDebianPackage(root: string, debian: DebianPackage): Promise<Buffer> {
  const { platform, version, time } = debian
  const source = (name: string) => join(root, 'ops/debian', name)
  const tree = installedTree(root, debian)
  const bytes = tree.reduce((sum, entry) => sum + ('target' in entry ? 0 : contentOf(entry).length), 0)
  const control = readFileSync(source('control'), 'utf8')
    .replace('{version}', version)
    .replace('{architecture}', platform.debian)
    .replace('{size}', String(Math.ceil(bytes / 1024) + foldersOf(tree).length * 4))
  const metadata = [
    textFile('control', Buffer.from(control)),
    textFile('conffiles', Buffer.from('/etc/glasses-cloud/env\n')),
    textFile('md5sums', Buffer.from(tree.map(md5Line).join(''))),
    ...['postinst', 'prerm', 'postrm'].map((name) => programFile(name, source(name))),
  ]
  const [metadataTar, dataTar] = await Promise.all([tarOf(metadata, time, './'), tarOf(tree, time, './')])
  return arOf(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', await gzip(metadataTar, { level: 9 })],
      ['data.tar.gz', await gzip(dataTar, { level: 6 })],
    ],
    time,
  )
}

function installedTree(root: string, { contents, documentation, manual }: DebianPackage): Tree {
  const source = (name: string) => join(root, 'ops/debian', name)
  const copyright = Buffer.concat([readFileSync(source('copyright')), licenseParagraph(root)])
  return [
    ...installedFolder(contents).map((entry) => ({ ...entry, path: `usr/lib/glasses-cloud/${entry.path}` })),
    programFile('usr/bin/glasses-cloud', source('glasses-cloud')),
    textFile('usr/lib/systemd/system/glasses-cloud.service', source('glasses-cloud.service')),
    { path: 'etc/glasses-cloud/env', mode: 0o640, source: source('env') },
    textFile(`${DOCUMENTATION}/copyright`, copyright),
    textFile('usr/share/man/man1/glasses-cloud.1.gz', gzipSync(manual, { level: 9 })),
    ...documentation.map((entry) => compressed(entry)),
  ]
}

/** The license as the format of Debian's copyright files has it. */
function licenseParagraph(root: string): Buffer {
  const lines = readFileSync(join(root, 'LICENSE'), 'utf8').trim().split('\n')
  return Buffer.from(`License: Expat\n${lines.map((line) => ` ${line === '' ? '.' : line}\n`).join('')}`)
}

function compressed(entry: Entry): Entry {
  if ('target' in entry) return entry
  return textFile(`${DOCUMENTATION}/${entry.path}.gz`, gzipSync(contentOf(entry), { level: 9 }))
}

function md5Line(entry: Entry): string {
  if ('target' in entry || entry.path.startsWith('etc/')) return ''
  return `${createHash('md5').update(contentOf(entry)).digest('hex')}  ${entry.path}\n`
}
