/**
 * `npm run release`: makes the artifacts of a release in dist/release. `--only deb` makes some kinds (folder, file, deb),
 * `--cpu x64` for one architecture; both may be repeated. `--out FOLDER` writes into another folder.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildConsole } from './build/console.ts'
import { writeBundle } from './bundle/write.ts'
import { commitTime } from './release/commit-time.ts'
import { collectContents, installedFolder } from './release/contents.ts'
import { readLockfile } from './release/lockfile.ts'
import { nameOf, PLATFORMS } from './release/platform.ts'
import { tarOf } from './release/tar.ts'
import { textFile } from './release/tree.ts'

const KINDS = ['folder', 'file', 'deb']
const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: KINDS },
    cpu: { type: 'string', multiple: true, default: PLATFORMS.map(({ cpu }) => cpu) },
    out: { type: 'string', default: join(root, 'dist/release') },
  },
})

const time = commitTime(root)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const lockfile = readLockfile(root)
const bundle = join(root, 'dist', `bundle-${process.pid}`)
const files: string[] = []

function write(name: string, content: Buffer): void {
  const file = join(values.out, name)
  writeFileSync(file, content)
  files.push(file)
  console.log(`${name}  ${(content.length / 1e6).toFixed(1)} MB`)
}

try {
  mkdirSync(values.out, { recursive: true })
  await buildConsole(root, console.error)
  await writeBundle(root, bundle)
  for (const platform of PLATFORMS.filter(({ cpu }) => values.cpu.includes(cpu))) {
    const contents = collectContents(root, lockfile, bundle, platform)
    const name = `glasses-cloud-${version}-${nameOf(platform)}`
    if (values.only.includes('folder')) {
      const tree = [
        ...installedFolder(contents, join(import.meta.dirname, 'release/launcher.sh')),
        ...['LICENSE', 'CHANGELOG.md'].map((path) => textFile(path, join(root, path))),
      ]
      write(`${name}.tar.gz`, gzipSync(await tarOf(tree, time, `${name}/`), { level: 6 }))
    }
  }
} finally {
  rmSync(bundle, { recursive: true, force: true })
}
