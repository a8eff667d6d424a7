import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isForOnePlatform, type Lockfile, nodePackage, packageName, withDependencies } from './lockfile.ts'
import { nameOf, type Platform } from './platform.ts'

const CACHE = 'node_modules/.cache/release'

/**
 * Installs the packages with binaries for a platform, Node.js among them, unless they are there: npm installs those of this
 * machine only. npm takes them from its cache if it has them, and compares them with the integrity in package-lock.json.
 * @param names packages that depend on packages with binaries
 * @returns the folder whose node_modules contains them
 * @throws {Error} if npm fails, or Node is not the one in `scripts/node-binaries.json`
 */
export function installPlatformPackages(
  root: string,
  lockfile: Lockfile,
  names: readonly string[],
  platform: Platform,
): string {
  const packages = withDependencies(lockfile, [...names, nodePackage(platform)], platform).filter((folder) =>
    isForOnePlatform(lockfile[folder] ?? {}),
  )
  const isHere = packages.every((folder) => existsSync(join(root, folder, 'package.json')))
  const folder = isHere ? root : install(root, lockfile, packages, platform)
  checkNode(root, join(folder, 'node_modules', nodePackage(platform), 'bin/node'), platform)
  return folder
}

function install(root: string, lockfile: Lockfile, packages: readonly string[], platform: Platform): string {
  // npm ci accepts packages of another platform as optional ones only.
  const optionalDependencies = Object.fromEntries(
    packages.map((folder) => [packageName(folder), lockfile[folder]?.version ?? '']),
  )
  const project = { name: 'glasses-cloud-release', version: '1.0.0', private: true, optionalDependencies }
  const entries = packages.map((folder) => [`node_modules/${packageName(folder)}`, lockfile[folder]])
  const locked = { '': project, ...Object.fromEntries(entries) }
  const lock = JSON.stringify({ ...project, lockfileVersion: 3, requires: true, packages: locked })
  const stamp = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const folder = join(root, CACHE, `${nameOf(platform)}-${stamp}`)
  if (existsSync(folder)) return folder
  const next = `${folder}.${process.pid}`
  mkdirSync(next, { recursive: true })
  try {
    writeFileSync(join(next, 'package.json'), JSON.stringify(project))
    writeFileSync(join(next, 'package-lock.json'), lock)
    runNpm(next, platform)
    // npm leaves out optional packages that it cannot install.
    const missing = Object.keys(optionalDependencies).filter(
      (name) => !existsSync(join(next, 'node_modules', name)),
    )
    if (missing.length > 0)
      throw new Error(`npm did not install ${missing.join(', ')}; is the registry reachable?`)
    renameSync(next, folder)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
  return folder
}

/** Runs npm with the Node that runs npm here, as `scripts/install.mjs` does. */
function runNpm(folder: string, { os, cpu }: Platform): void {
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env
  const [command, prefix] = npm.endsWith('npm-cli.js') ? [node, [npm]] : ['npm', []]
  const platform = [`--os=${os}`, `--cpu=${cpu}`, '--libc=glibc']
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const args = [...prefix, 'ci', ...platform, ...options]
  const { status, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  if (error !== undefined) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`npm could not install the packages for ${os}-${cpu}: ${stderr}`)
}

function checkNode(root: string, file: string, platform: Platform): void {
  const expected = JSON.parse(readFileSync(join(root, 'scripts/node-binaries.json'), 'utf8'))[
    nameOf(platform)
  ]
  const actual = createHash('sha256').update(readFileSync(file)).digest('hex')
  if (actual !== expected)
    throw new Error(`${file} is not the Node of scripts/node-binaries.json: its SHA-256 is ${actual}.`)
}
