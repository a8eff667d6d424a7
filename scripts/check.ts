/** `npm run check`: everything that can be known of the source without running it. All parts run, whatever fails. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { checkBoundaries } from './check/boundaries.ts'
import { checkLockfile } from './check/lockfile.ts'
import { checkRules } from './check/rules.ts'
import { checkWords } from './check/words.ts'

const root = process.cwd()

/** Runs an installed tool; answers what it said if it failed. */
function tool(name: string, ...args: string[]): () => string[] {
  return () => {
    const result = spawnSync(join(root, 'node_modules', '.bin', name), args, { cwd: root, encoding: 'utf8' })
    if (result.error) return [`${name} could not be started: ${result.error.message}`]
    return result.status === 0 ? [] : [`${result.stdout}${result.stderr}`.trim()]
  }
}

const parts: Record<string, () => string[]> = {
  'format and lint': tool('biome', 'ci', '--colors=off', '--max-diagnostics=200', '.'),
  types: tool('tsc', '--noEmit', '-p', '.'),
  boundaries: () => checkBoundaries(root),
  'dead code': tool('knip', '--no-progress', '--no-config-hints'),
  rules: () => checkRules(root),
  words: () => checkWords(root),
  lockfile: () => checkLockfile(root),
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

let failed = 0
for (const [name, run] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const startedAt = performance.now()
  const complaints = run()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${complaints.length === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
  for (const text of complaints) console.log(text.replaceAll(/^(?=.)/gm, '    '))
  if (complaints.length > 0) failed += 1
}
process.exitCode = failed > 0 ? 1 : 0
