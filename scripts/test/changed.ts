import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'

/** Lists all features of the cloud. Whatever starts a cloud reaches every feature through it. */
const ALL_FEATURES = 'packages/cloud/src/features.ts'

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

/**
 * Selects the test files that reach a changed file by their imports, or whose text names one that is no source. Of those
 * that reach a feature only because they start the whole cloud, it selects those with the feature's name in their path.
 */
export function selectReaching(root: string, tests: readonly string[], changed: readonly string[]): string[] {
  const sources = new Set(changed.filter((path) => /\.[jt]sx?$/.test(path)))
  const others = changed.filter((path) => !sources.has(path)).map((path) => basename(path))
  const features = changed.flatMap(
    (path) => /^packages\/cloud\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? [],
  )
  const imports = new Imports(root)
  return tests.filter((test) => {
    if (features.some((feature) => test.includes(feature))) return true
    const text = readFileSync(join(root, test), 'utf8')
    if (others.some((name) => text.includes(name))) return true
    return imports.reaches(test, sources)
  })
}

/** The files that a file imports, directly or not. */
class Imports {
  readonly #root: string
  readonly #direct = new Map<string, readonly string[]>()

  constructor(root: string) {
    this.#root = root
  }

  reaches(file: string, targets: ReadonlySet<string>): boolean {
    const seen = new Set([file])
    for (const each of seen) {
      if (targets.has(each)) return true
      if (each !== ALL_FEATURES) for (const imported of this.#importsOf(each)) seen.add(imported)
    }
    return false
  }

  #importsOf(file: string): readonly string[] {
    let imports = this.#direct.get(file)
    if (imports === undefined) {
      const path = join(this.#root, file)
      const text = /\.[jt]sx?$/.test(file) && existsSync(path) ? readFileSync(path, 'utf8') : ''
      imports = [...text.matchAll(IMPORT)].flatMap(
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
