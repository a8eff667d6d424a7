import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'

/** Lists all features of the cloud. Whatever starts a cloud reaches every feature through it. */
const ALL_FEATURES = 'packages/cloud/src/features.ts'

const SOURCE = /\.[jt]sx?$/

/** What no longer exists when a program runs. */
const TYPE_IMPORT = /^(?:import|export) type [^']*from '[^']+'/gm

const IMPORT = /(?:from |import |import\(|new URL\()\s*'([^']+)'/g

/** Files that differ from a commit, those that are not committed yet included; relative to the root. */
export function changedFiles(root: string, commit: string): string[] {
  const git = (...args: string[]) => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    } catch {
      // Not a repository.
      return ''
    }
  }
  const output =
    git('diff', '--name-only', '--relative', commit) + git('ls-files', '--others', '--exclude-standard')
  return output.split('\n').filter((path) => path !== '')
}

/** The result of a selection. */
export interface Selection {
  /** The selected test files. */
  readonly files: string[]
  /** The number of test files that reach a change as well, from further away. */
  readonly omitted: number
}

/**
 * Selects the test files that reach a changed file by their imports, or whose text names one that is no source: for each
 * changed file the nearest, at most `max` of them. A test with the name of the changed feature in its path counts as near.
 * What only lists all features, as the start of a cloud does, reaches none of them.
 */
export function selectReaching(
  root: string,
  tests: readonly string[],
  changed: readonly string[],
  max: number,
): Selection {
  const imports = new Imports(root)
  const candidates = tests.map((test) => ({
    test,
    text: readFileSync(join(root, test), 'utf8'),
    distances: imports.distancesFrom(test),
  }))
  const reaching = new Set<string>()
  const selected = new Set<string>()
  for (const path of changed) {
    const feature = /^packages\/cloud\/src\/features\/([^/]+)\//.exec(path)?.[1]
    const isSource = SOURCE.test(path)
    const distanceFrom = ({ test, text, distances }: (typeof candidates)[number]) => {
      if (!isSource && text.includes(basename(path))) return 0
      const distance = distances.get(path) ?? Number.POSITIVE_INFINITY
      return feature !== undefined && test.includes(feature) ? Math.min(distance, 1) : distance
    }
    const found = candidates
      .map((candidate) => ({ test: candidate.test, distance: distanceFrom(candidate) }))
      .filter(({ distance }) => Number.isFinite(distance))
    for (const { test } of found) reaching.add(test)
    const nearest = found.sort((one, other) => one.distance - other.distance).slice(0, max)
    for (const { test } of nearest) selected.add(test)
  }
  return { files: tests.filter((test) => selected.has(test)), omitted: reaching.size - selected.size }
}

/** The files that a file imports, directly or not. */
class Imports {
  readonly #root: string
  readonly #direct = new Map<string, readonly string[]>()

  constructor(root: string) {
    this.#root = root
  }

  /** How many imports lead from a file to each that it reaches. */
  distancesFrom(file: string): ReadonlyMap<string, number> {
    const distances = new Map([[file, 0]])
    for (const [each, distance] of distances) {
      if (each === ALL_FEATURES) continue
      for (const imported of this.#importsOf(each))
        if (!distances.has(imported)) distances.set(imported, distance + 1)
    }
    return distances
  }

  #importsOf(file: string): readonly string[] {
    let imports = this.#direct.get(file)
    if (imports === undefined) {
      const path = join(this.#root, file)
      const text = SOURCE.test(file) && existsSync(path) ? readFileSync(path, 'utf8') : ''
      imports = [...text.replaceAll(TYPE_IMPORT, '').matchAll(IMPORT)].flatMap(
        ([, specifier = '']) => this.#resolve(file, specifier) ?? [],
      )
      this.#direct.set(file, imports)
    }
    return imports
  }

  /** Returns the file that a specifier names; undefined for packages from elsewhere. */
  #resolve(file: string, specifier: string): string | undefined {
    if (specifier.startsWith('.')) {
      const path = posix.join(dirname(file), specifier)
      // Sources of the console name no extension.
      return [path, `${path}.ts`, `${path}.tsx`].find((each) => existsSync(join(this.#root, each)))
    }
    const [, name, subpath = ''] = /^@glasses-cloud\/([^/]+)(\/.*)?$/.exec(specifier) ?? []
    if (name === undefined) return undefined
    const { exports = {} } = JSON.parse(
      readFileSync(join(this.#root, 'packages', name, 'package.json'), 'utf8'),
    ) as { exports?: Record<string, string> }
    const target = exports[`.${subpath}`]
    return target === undefined ? undefined : posix.join('packages', name, target)
  }
}
