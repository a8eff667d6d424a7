/** `npm run device-models`: writes the package for npm to `dist`, as JavaScript with declarations. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = import.meta.dirname
const ROOT = join(FOLDER, '../..')

/** Replaces a folder with the package. @throws {Error} if the sources do not compile */
export function buildPackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  const args = ['-p', join(FOLDER, 'tsconfig.build.json'), '--outDir', folder]
  const { status, stdout, error } = spawnSync(compiler, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The device models do not compile: ${error?.message ?? stdout}`)
  const { private: _, ...manifest } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))
  for (const [name, source] of Object.entries<string>(manifest.exports)) {
    const file = source.replace('./src/', './').replace(/\.ts$/, '')
    manifest.exports[name] = { types: `${file}.d.ts`, default: `${file}.js` }
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(FOLDER, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  buildPackage(join(FOLDER, 'dist'))
  console.log('Wrote packages/device-models/dist; publish it with npm publish packages/device-models/dist')
}
