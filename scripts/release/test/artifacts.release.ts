import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { PROJECT, RELEASE, VERSION } from './artifacts.ts'
import { checked, skipUnlessPossible } from './bare-root.ts'
import { commitTimeOfProject, copyProject } from './project-copy.ts'

/** Processors by their number in the header of an ELF file. */
const MACHINES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' }

/** The processor that a file is made for; undefined if it contains no machine code. */
function machineOf(file: string): string | undefined {
  const header = Buffer.alloc(20)
  readSync(openSync(file, 'r'), header)
  return header.toString('latin1', 0, 4) === '\x7fELF' ? MACHINES[header.readUInt16LE(18)] : undefined
}

describe('the artifacts of a release', { skip: skipUnlessPossible() }, () => {
  let folder: string

  before(() => {
    // On the same file system as the packages, which are linked.
    folder = mkdtempSync(join(PROJECT, 'dist/test-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('REL-40: two builds of the same sources are byte for byte the same, in any folder, zone and locale', () => {
    const copy = join(folder, 'another/copy')
    copyProject(copy)
    const time = commitTimeOfProject()
    const env = { ...process.env, SOURCE_DATE_EPOCH: time, TZ: 'Asia/Tokyo', LC_ALL: 'C' }
    const out = join(folder, 'second')
    const build = 'umask 077 && cd "$1" && exec "$2" scripts/release.ts --cpu x64 --out "$3"'
    checked('sh', ['-c', build, 'sh', copy, process.execPath, out], env)
    const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')
    assert.equal(sums.length, 5)
    const first = readFileSync(join(RELEASE, 'SHA256SUMS'), 'utf8')
    assert.deepEqual(
      sums.filter((line) => !first.includes(line)),
      [],
    )
  })

  test('REL-41: SHA256SUMS lists every artifact', () => {
    checked('sh', ['-c', `cd ${RELEASE} && sha256sum --check --strict SHA256SUMS`])
    const listed = readFileSync(join(RELEASE, 'SHA256SUMS'), 'utf8').matchAll(/ {2}(.+)\n/g)
    const names = globSync('*', { cwd: RELEASE }).filter((name) => name !== 'SHA256SUMS')
    assert.deepEqual([...listed].map(([, name]) => name).sort(), names.sort())
    assert.equal(names.length, 10)
  })

  test('the archive for arm64 has the same files, and machine code for arm64 only', () => {
    const lists = ['x64', 'arm64'].map((cpu) => {
      const name = `glasses-cloud-${VERSION}-linux-${cpu}`
      checked('tar', ['-xzf', join(RELEASE, `${name}.tar.gz`), '-C', folder])
      const files = globSync('**/*', { cwd: join(folder, name), withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
      const machines = files.map((file) => [basename(file), machineOf(file)] as const)
      const binaries = machines.filter(([, machine]) => machine !== undefined)
      assert.deepEqual([...new Set(binaries.map(([, machine]) => machine))], [cpu])
      assert.equal(binaries.length, 7, 'Node, sharp, libvips, ONNX Runtime and three of sherpa-onnx')
      assert.equal(machineOf(join(RELEASE, name)), cpu)
      return files
        .map((file) => file.slice(join(folder, name).length).replaceAll(`linux-${cpu}`, 'linux'))
        .sort()
    })
    assert.deepEqual(lists[1], lists[0])
  })

  test('REL-43: the bill of materials is valid CycloneDX and lists what the archive contains', async () => {
    for (const cpu of ['x64', 'arm64']) {
      const name = `glasses-cloud-${VERSION}-linux-${cpu}`
      const text = readFileSync(join(RELEASE, `${name}.bom.cdx.json`), 'utf8')
      const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
      assert.equal(await validator.validate(text), null)
      const { components } = JSON.parse(text) as {
        components: { group?: string; name: string; version: string; components?: { name: string }[] }[]
      }
      const listed = new Map(components.map((each) => [`${each.name}@${each.version}`, each]))
      const manifests = checked('sh', [
        '-c',
        `tar -tzf ${join(RELEASE, `${name}.tar.gz`)} | grep -oP 'program/\\Knode_modules/.*(?=/package.json$)' || true`,
      ])
      const packages = manifests
        .trim()
        .split('\n')
        .filter((path) => !path.includes('@glasses-cloud/'))
      assert.ok(packages.length >= 10)
      for (const path of packages) {
        const nodeModule = path.slice(path.lastIndexOf('node_modules/') + 13)
        assert.ok(
          [...listed.keys()].some((key) => key.startsWith(`${nodeModule}@`)),
          nodeModule,
        )
      }
      // Bundled into the program, and into the console.
      for (const bundled of ['fastify', 'pg', '@mentra/sdk', 'react'])
        assert.ok(
          [...listed.keys()].some((key) => key.startsWith(`${bundled}@`)),
          bundled,
        )
      const partsOf = (prefix: string) =>
        [...listed].find(([key]) => key.startsWith(prefix))?.[1].components?.map((part) => part.name) ?? []
      assert.ok(partsOf('node-linux-').includes('openssl'))
      assert.ok(partsOf('@img/sharp-libvips-').includes('glib'))
    }
  })

  test('REL-44: each package in the bill of materials has its license in the list of licenses', () => {
    const name = `glasses-cloud-${VERSION}-linux-x64`
    const { components } = JSON.parse(readFileSync(join(RELEASE, `${name}.bom.cdx.json`), 'utf8')) as {
      components: { name: string; version: string }[]
    }
    const licenses = readFileSync(join(RELEASE, `${name}.licenses.txt`), 'utf8').split(`${'='.repeat(80)}\n`)
    for (const component of components) {
      const text =
        licenses.find((each) => each.startsWith(`\n${component.name} ${component.version}\n`)) ?? ''
      assert.ok(text.length > 300, `${component.name} ${component.version}: ${text}`)
    }
    assert.ok(existsSync(join(PROJECT, 'LICENSE')))
  })
})
