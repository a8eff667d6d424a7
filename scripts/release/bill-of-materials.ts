import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import parseExpression from 'spdx-expression-parse'
import type { ContainedPackage } from './contained-packages.ts'

/** What a bill of materials is about. */
export interface BillOfMaterials {
  readonly version: string
  readonly license: string
  readonly packages: readonly ContainedPackage[]
  /** The file of Node.js. */
  readonly node: string
  /** Epoch seconds. */
  readonly time: number
}

const licenses = new Contrib.License.Factories.LicenseFactory(parseExpression)

/** Lists everything that an artifact contains, in CycloneDX 1.6: packages, Node.js and libvips with their own parts. */
export function billOfMaterials({ version, license, packages, node, time }: BillOfMaterials): string {
  const main = new Models.Component(Enums.ComponentType.Application, 'glasses-cloud', {
    version,
    bomRef: 'glasses-cloud',
    purl: `pkg:generic/glasses-cloud@${version}`,
    licenses: new Models.LicenseRepository([licenses.makeFromString(license)]),
  })
  const components = packages.map((each) => componentOf(each, node))
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ timestamp: new Date(time * 1000), component: main }),
    components: new Models.ComponentRepository(components),
  })
  for (const { bomRef } of components) main.dependencies.add(bomRef)
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return serializer.serialize(bom, { sortLists: true, space: 2 })
}

function componentOf({ folder, name, locked }: ContainedPackage, node: string): Models.Component {
  const { version = '', license, integrity } = locked
  const isNode = /^node-[a-z]+-[a-z0-9]+$/.test(name)
  const component = new Models.Component(
    isNode ? Enums.ComponentType.Application : Enums.ComponentType.Library,
    name,
    { version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}`, bomRef: `${name}@${version}` },
  )
  if (license !== undefined) component.licenses.add(licenses.makeFromString(license))
  const sha512 = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  if (sha512 !== undefined)
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(sha512, 'base64').toString('hex'))
  if (isNode) {
    const sha256 = createHash('sha256').update(readFileSync(node)).digest('hex')
    component.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256)
    addParts(component, partsOfNode(version))
  }
  if (name.startsWith('@img/sharp-libvips-'))
    addParts(component, JSON.parse(readFileSync(join(folder, 'versions.json'), 'utf8')))
  return component
}

/** The libraries in Node, which is the Node that runs this. */
function partsOfNode(version: string): Readonly<Record<string, string | undefined>> {
  if (process.versions.node !== version)
    throw new Error(
      `Node ${version} must make the release, to list its parts (this is ${process.versions.node}).`,
    )
  return process.versions
}

function addParts(component: Models.Component, parts: Readonly<Record<string, string | undefined>>): void {
  for (const [name, version = ''] of Object.entries(parts))
    component.components.add(
      new Models.Component(Enums.ComponentType.Library, name, {
        version,
        purl: `pkg:generic/${name}@${encodeURIComponent(version)}`,
        bomRef: `${component.bomRef.value}/${name}@${version}`,
      }),
    )
}
