/**
 * `npm run check`: checks the source without running it. `npm run check -- NAME` runs one of the checks.
 * All checks run, even after one has failed.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { checkBoundaries } from './check/boundaries.ts'
import { checkDocuments } from './check/documents.ts'
import { checkLockfile } from './check/lockfile.ts'
import { type Problem, Project } from './check/project.ts'
import { checkReferences } from './check/references.ts'
import { checkRules } from './check/rules.ts'
import { checkTexts } from './check/texts.ts'
import { checkWords } from './check/words.ts'

/** Lets a check without changes take a tenth of the time. */
const TYPE_CHECK_CACHE = 'node_modules/.cache/check/tsc.tsbuildinfo'

const project = new Project(process.cwd())

/** Runs an installed tool. Its output is the problem if it fails. */
function tool(name: string, ...args: string[]): () => Problem[] {
  return () => {
    const command = join(project.root, 'node_modules', '.bin', name)
    const result = spawnSync(command, args, { cwd: project.root, encoding: 'utf8' })
    if (result.error) return [`${name} could not be started: ${result.error.message}`]
    return result.status === 0 ? [] : [`${result.stdout}${result.stderr}`.trim()]
  }
}

/** Checks the types of the console, which runs in browsers, against the REST interface of the cloud. */
function consoleTypes(): Problem[] {
  if (!project.has('packages/console')) return []
  const generated = spawnSync(process.execPath, ['packages/console/generate-api-types.ts'], {
    cwd: project.root,
    encoding: 'utf8',
  })
  if (generated.status !== 0)
    return [`The types of the REST interface could not be generated: ${generated.stderr.trim()}`]
  const configs = [
    'packages/console',
    'packages/console/tsconfig.node.json',
    'packages/console/service-worker',
  ]
  return configs.flatMap((config) => tool('tsc', '--noEmit', '-p', config)())
}

const checks: Record<string, () => Problem[]> = {
  // Lint finds import cycles, too.
  'format and lint': tool('biome', 'ci', '--colors=off', '--max-diagnostics=200', '.'),
  types: tool('tsc', '--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', TYPE_CHECK_CACHE),
  'console types': consoleTypes,
  boundaries: () => checkBoundaries(project),
  'dead code': tool('knip', '--no-progress', '--no-config-hints'),
  rules: () => checkRules(project),
  references: () => [...checkReferences(project), ...checkDocuments(project)],
  words: () => checkWords(project),
  texts: () => checkTexts(project),
  lockfile: () => checkLockfile(project),
}

const selected = process.argv.slice(2)
const unknown = selected.filter((name) => !(name in checks))
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. The checks are: ${Object.keys(checks).join(', ')}.`)
  process.exit(2)
}

let failures = 0
for (const [name, run] of Object.entries(checks)) {
  if (selected.length > 0 && !selected.includes(name)) continue
  const startedAt = performance.now()
  const problems = run()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${problems.length === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
  for (const problem of problems) console.log(problem.replaceAll(/^(?=.)/gm, '    '))
  if (problems.length > 0) failures += 1
}
process.exitCode = failures > 0 ? 1 : 0
