/**
 * `npm run release`: makes the artifacts of a release in dist/release. `--only deb` makes some kinds (folder, file, deb),
 * `--cpu x64` for one architecture; both may be repeated. `--out FOLDER` writes into another folder.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import { buildConsole } from './build/console.ts'
import { writeBundle } from './bundle/write.ts'
import { billOfMaterials } from './release/bill-of-materials.ts'
import { commitTime } from './release/commit-time.ts'
import { containedPackages } from './release/contained-packages.ts'
import { collectContents, installedFolder } from './release/contents.ts'
import { buildDebianPackage } from './release/debian.ts'
import { buildExecutable } from './release/executable/build.ts'
import { licensesOf } from './release/licenses.ts'
import { readLockfile } from './release/lockfile.ts'
import { manualPage } from './release/manual.ts'
import { nameOf, PLATFORMS, type Platform } from './release/platform.ts'
import { tarOf } from './release/tar.ts'
import { programFile, type Tree, textFile } from './release/tree.ts'

const KINDS = ['folder', 'file', 'deb']
const GUIDES = ['CHANGELOG.md', 'docs/install.md', 'docs/commands.md', 'docs/configuration.md']

const gzip = promisify(gzipCallback)
const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: KINDS },
    cpu: { type: 'string', multiple: true, default: PLATFORMS.map(({ cpu }) => cpu) },
    out: { type: 'string', default: join(root, 'dist/release') },
  },
})

const time = commitTime(root)
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const lockfile = readLockfile(root)
const sums: string[] = []

function write(name: string, content: string | Buffer, mode = 0o644): void {
  const file = join(values.out, name)
  writeFileSync(file, content, { mode })
  sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
  console.log(`${name}  ${(content.length / 1e6).toFixed(1)} MB`)
}

/** Makes the artifacts for a platform. @param modules paths of the bundled modules */
async function release(bundle: string, modules: readonly string[], platform: Platform): Promise<void> {
  const contents = collectContents(root, lockfile, bundle, platform)
  const packages = containedPackages(root, lockfile, modules, contents.packages)
  const bom = billOfMaterials({ version, license, packages, node: contents.node, time })
  const licenses = licensesOf(packages)
  const documentation: Tree = [
    textFile('bom.cdx.json', Buffer.from(bom)),
    textFile('THIRD_PARTY_LICENSES.txt', Buffer.from(licenses)),
    ...GUIDES.map((path) => textFile(path.replace('docs/', ''), join(root, path))),
  ]
  const name = `glasses-cloud-${version}-${nameOf(platform)}`
  const kinds: Readonly<Record<string, () => Promise<void>>> = {
    folder: async () => {
      const launcher = programFile('glasses-cloud', join(root, 'scripts/release/launcher.sh'))
      const tree = [
        ...installedFolder(contents),
        ...documentation,
        launcher,
        textFile('LICENSE', join(root, 'LICENSE')),
      ]
      write(`${name}.tar.gz`, await gzip(await tarOf(tree, time, `${name}/`), { level: 6 }))
    },
    file: async () => write(name, await buildExecutable(contents, version), 0o755),
    deb: async () => {
      const manual = manualPage(bundle, version, time)
      const debian = { contents, platform, version, documentation, manual, time }
      write(`glasses-cloud_${version}_${platform.debian}.deb`, await buildDebianPackage(root, debian))
    },
  }
  await Promise.all(values.only.map((kind) => kinds[kind]?.()))
  write(`${name}.bom.cdx.json`, bom)
  write(`${name}.licenses.txt`, licenses)
}

const bundle = join(root, 'dist', `bundle-${process.pid}`)
try {
  rmSync(values.out, { recursive: true, force: true })
  mkdirSync(values.out, { recursive: true })
  await buildConsole(root, console.error)
  const chunks = await writeBundle(root, bundle)
  const modules = [
    ...chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => relative(root, id))),
    ...JSON.parse(readFileSync(join(root, 'packages/console/dist/.modules.json'), 'utf8')),
  ]
  for (const platform of PLATFORMS.filter(({ cpu }) => values.cpu.includes(cpu)))
    await release(bundle, modules, platform)
  writeFileSync(join(values.out, 'SHA256SUMS'), sums.sort().join(''))
} finally {
  rmSync(bundle, { recursive: true, force: true })
}
