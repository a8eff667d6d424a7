/**
 * `npm run check`: checks the source without running it. `npm run check -- NAME` runs one of the checks.
 * The checks run side by side, and each prints its result when it ends. All run, even after one has failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { filesAt, hashTimes } from './build/hash-files.ts'
import { checkBoundaries } from './check/boundaries.ts'
import { checkDocuments } from './check/documents.ts'
import { checkLockfile } from './check/lockfile.ts'
import { type Problem, Project } from './check/project.ts'
import { checkReferences } from './check/references.ts'
import { checkRules } from './check/rules.ts'

/** Where the compiler and this script note what they have checked, which makes the next check faster. */
const CACHE = 'node_modules/.cache/check'
/** What the types of the REST interface are generated from. */
const API_SOURCES = [
  'packages/cloud/src',
  'packages/contract/src',
  'packages/console/generate-api-types.ts',
  'packages/console/start-cloud.ts',
  'package-lock.json',
]
const API_TYPES = 'packages/console/src/api/schema.d.ts'

const project = new Project(process.cwd())

/** Runs a program. Its output is the problem if it fails. */
async function run(command: string, args: readonly string[]): Promise<Problem[]> {
  const child = spawn(command, args, { cwd: project.root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(child, 'close').catch((error: Error) => [error.message])
  if (typeof code === 'string') return [`${command} could not be started: ${code}`]
  return code === 0 ? [] : [output.trim()]
}

/** Runs an installed tool. */
const tool = (name: string, ...args: string[]) => run(join(project.root, 'node_modules', '.bin', name), args)

const checkTypes = (config: string, name: string) =>
  tool('tsc', '--noEmit', '-p', config, '--incremental', '--tsBuildInfoFile', `${CACHE}/${name}.tsbuildinfo`)

/** Checks the types of the console, which runs in browsers, against the REST interface of the cloud. */
async function checkConsoleTypes(): Promise<Problem[]> {
  if (!project.has('packages/console')) return []
  const hashFile = join(project.root, CACHE, 'api-types')
  const files = API_SOURCES.flatMap((path) => filesAt(project.root, path))
  const hash = hashTimes(project.root, files)
  if (!project.has(API_TYPES) || !existsSync(hashFile) || readFileSync(hashFile, 'utf8') !== hash) {
    const problems = await run(process.execPath, ['packages/console/generate-api-types.ts'])
    if (problems.length > 0) return ['The types of the REST interface could not be generated:', ...problems]
    mkdirSync(join(project.root, CACHE), { recursive: true })
    writeFileSync(hashFile, hash)
  }
  const results = [
    await checkTypes('packages/console', 'console'),
    await checkTypes('packages/console/tsconfig.node.json', 'console-node'),
    await checkTypes('packages/console/service-worker', 'service-worker'),
  ]
  return results.flat()
}

/** The slowest begin first. */
const checks: Record<string, () => Problem[] | Promise<Problem[]>> = {
  types: () => checkTypes('.', 'tsc'),
  'console types': checkConsoleTypes,
  // Lint finds import cycles, too.
  'format and lint': () => tool('biome', 'ci', '--colors=off', '--max-diagnostics=200', '.'),
  'dead code': () => tool('knip', '--no-progress', '--no-config-hints'),
  boundaries: () => checkBoundaries(project),
  rules: () => checkRules(project),
  references: () => [...checkReferences(project), ...checkDocuments(project)],
  lockfile: () => checkLockfile(project),
}

const selected = process.argv.slice(2)
const unknown = selected.filter((name) => !(name in checks))
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. The checks are: ${Object.keys(checks).join(', ')}.`)
  process.exit(2)
}

const queue = Object.entries(checks).filter(([name]) => selected.length === 0 || selected.includes(name))
async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [name, check] = next
    const startedAt = performance.now()
    const problems = await check()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${problems.length === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
    for (const problem of problems) console.log(problem.replaceAll(/^(?=.)/gm, '    '))
    if (problems.length > 0) process.exitCode = 1
    // So that a tool that has ended meanwhile is followed by the next.
    await setImmediate()
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
