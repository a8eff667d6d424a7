import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The root of the project. */
export const PROJECT = join(import.meta.dirname, '../../..')

/** The version of the release under test. */
export const VERSION: string = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).version

/** The folder of the artifacts, which `npm run test:release` makes first. */
export const RELEASE = join(PROJECT, 'dist/release')

/** `glasses-cloud-1.0.0-linux-x64`, without an extension. */
export const NAME = `glasses-cloud-${VERSION}-linux-${process.arch}`

/** The Debian package for this machine. */
export const DEBIAN_PACKAGE = `glasses-cloud_${VERSION}_${process.arch === 'x64' ? 'amd64' : 'arm64'}.deb`
