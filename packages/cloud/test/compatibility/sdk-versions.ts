import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/app-sdk', import.meta.url))

/** Time within which npm installs one version. */
const INSTALL_TIMEOUT_MS = 180_000

/** Without a network npm fails after seconds, or uses what it has downloaded before; by default it tries for minutes. */
const NETWORK = ['--prefer-offline', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000']

const run = promisify(execFile)

/** Returns the versions of the app SDK that the registry holds, the oldest first. */
export async function publishedVersions(): Promise<string[]> {
  const { stdout } = await run('npm', ['view', '@mentra/sdk', 'versions', '--json'])
  return JSON.parse(stdout)
}

/** Installs a version in its own folder, once. @returns the folder */
export async function installVersion(version: string): Promise<string> {
  const folder = join(CACHE, version)
  if (existsSync(folder)) return folder
  const temporary = `${folder}.${process.pid}`
  await mkdir(temporary, { recursive: true })
  await writeFile(join(temporary, 'package.json'), '{ "private": true, "type": "module" }')
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ...NETWORK,
    `@mentra/sdk@${version}`,
  ]
  await run('npm', args, { cwd: temporary, timeout: INSTALL_TIMEOUT_MS }).catch(async (error) => {
    await rm(temporary, { recursive: true, force: true })
    throw error
  })
  await rename(temporary, folder).catch(async (error) => {
    // Another process was faster.
    await rm(temporary, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}
