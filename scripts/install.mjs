/**
 * Brings node_modules in line with package-lock.json, if it is not. Runs before every npm script, under whatever
 * Node the machine has (18 or newer): the script that follows then finds Node 24 in node_modules/.bin.
 *
 * Nothing to do costs milliseconds and prints nothing. Words go to stderr: stdout belongs to the script that follows.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const root = process.cwd()
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.install-stamp')
const lockFile = join(root, '.install-lock')
const neededNode = 24
/** An installation takes a minute; a lock older than this was left by a process whose id another one has now. */
const staleAfterMs = 15 * 60_000

/** An end that one sentence explains; a person can act on it. */
class Sentence extends Error {}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** What node_modules must have been made from: the lockfile, on this kind of machine (it holds binaries). */
function wantedStamp() {
  const lockfile = read(join(root, 'package-lock.json'))
  if (lockfile === undefined)
    throw new Sentence('There is no package-lock.json here: run this in the project folder.')
  return createHash('sha256').update(`${process.platform}-${process.arch}\n${lockfile}`).digest('hex')
}

function isCurrent(stamp) {
  return read(stampFile) === stamp && existsSync(join(modules, '.bin', 'node'))
}

/**
 * Whether `npm install`, run by hand, has already done the work: npm's own record of what it installed then names
 * the same packages as the lockfile, but for optional ones of other platforms.
 */
function npmHasInstalled() {
  const record = read(join(modules, '.package-lock.json'))
  if (record === undefined || !existsSync(join(modules, '.bin', 'node'))) return false
  const installed = JSON.parse(record).packages
  const locked = JSON.parse(read(join(root, 'package-lock.json')) ?? '{}').packages
  const isPackage = (path) => path.includes('node_modules/')
  // A workspace is a link without a version: that it is there is all there is to compare.
  const same = (path) =>
    path in installed && path in locked && installed[path].version === locked[path].version
  return (
    Object.keys(installed).filter(isPackage).every(same) &&
    Object.keys(locked)
      .filter(isPackage)
      .every((path) => same(path) || (locked[path].optional === true && !(path in installed)))
  )
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Makes the lock, holding our process id from its first moment on, or answers false while another process has it. */
function tryLock() {
  const mine = `${lockFile}.${process.pid}`
  try {
    writeFileSync(mine, `${process.pid}`)
    linkSync(mine, lockFile)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new Sentence(`The packages cannot be installed: ${root} is not writable (${error.code}).`)
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Removes the lock of a process that is gone, unless somebody else just did so and took it. */
function breakLock(owner) {
  const aside = `${lockFile}.${process.pid}`
  try {
    renameSync(lockFile, aside)
    if (read(aside) !== owner) linkSync(aside, lockFile)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Waits its turn; takes the lock of a process that died. */
async function lock() {
  const since = Date.now()
  let told = false
  while (!tryLock()) {
    const owner = read(lockFile)
    if (owner === undefined) continue
    if (!isAlive(Number(owner)) || Date.now() - since > staleAfterMs) {
      breakLock(owner)
      continue
    }
    if (!told) process.stderr.write('Waiting for another process that is installing the packages.\n')
    told = true
    await delay(100)
  }
}

/** Runs `npm ci` with the npm (and the Node) that started this script: the Node in node_modules is about to go. */
function installPackages() {
  process.stderr.write(
    existsSync(modules)
      ? 'Installing the packages again: those here do not match package-lock.json.\n'
      : 'Installing the packages, once: about a minute.\n',
  )
  rmSync(stampFile, { force: true })
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const [command, prefix] = npm.endsWith('npm-cli.js') ? [node, [npm]] : ['npm', []]
  const result = spawnSync(command, [...prefix, ...args], { cwd: root, encoding: 'utf8' })
  if (result.error) throw new Sentence(`npm could not be started: ${result.error.message}`)
  if (result.status !== 0) {
    process.stderr.write(result.stdout + result.stderr)
    throw new Sentence(
      `npm ci failed (exit code ${result.status}); what it said is above. Is the registry reachable?`,
    )
  }
}

/** Says so now if the Node that came with the packages does not run; later it would look like a syntax error. */
function checkNode() {
  const node = spawnSync(join(modules, '.bin', 'node'), ['--version'], { encoding: 'utf8' })
  if (Number(/^v(\d+)/.exec(node.stdout ?? '')?.[1]) >= neededNode) return
  throw new Sentence(
    `Node ${neededNode} was not installed with the packages. If npm is set to run no install scripts, run ` +
      '`npm rebuild node --ignore-scripts=false` and try again.',
  )
}

async function main() {
  const stamp = wantedStamp()
  if (isCurrent(stamp)) return
  await lock()
  try {
    if (!npmHasInstalled()) installPackages()
    checkNode()
    writeFileSync(stampFile, stamp)
  } finally {
    rmSync(lockFile, { force: true })
  }
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Sentence ? error.message : error.stack}\n`)
  process.exitCode = 1
})
