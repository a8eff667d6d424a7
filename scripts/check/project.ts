import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type ParseResult, parseSync } from 'oxc-parser'

/** A parsed TypeScript file. */
export interface SourceFile {
  /** Relative to the root of the project, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly parsed: ParseResult
}

/** A finding of a check, as one line: `path:line  message`. */
export type Problem = string

/** Formats a problem. `offset` is counted in characters from the start of `text`. */
export function problemAt(path: string, text: string, offset: number, message: string): Problem {
  return `${path}:${text.slice(0, offset).split('\n').length}  ${message}`
}

/** Folders that are installed or generated; only consulted outside a git repository. */
const GENERATED_FOLDERS = ['node_modules', '.git', 'data', 'dist', 'coverage']

/** The files of a project. Each file is read and parsed at most once, so that all checks can share one instance. */
export class Project {
  readonly root: string
  readonly #texts = new Map<string, string>()
  #paths: string[] | undefined
  #sources: SourceFile[] | undefined

  constructor(root: string) {
    this.root = root
  }

  /** Every file that is or would be committed, sorted, relative to the root. */
  get paths(): readonly string[] {
    this.#paths ??= (gitFiles(this.root) ?? filesBelow(this.root, ''))
      .filter((path) => statSync(join(this.root, path), { throwIfNoEntry: false })?.isFile() === true)
      .sort()
    return this.#paths
  }

  /** Every TypeScript file except declaration files. */
  get sources(): readonly SourceFile[] {
    this.#sources ??= this.paths
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
      .map((path) => {
        const text = this.read(path)
        return { path, text, parsed: parseSync(path, text) }
      })
    return this.#sources
  }

  /** Whether a file or folder exists, generated ones included. */
  has(path: string): boolean {
    return existsSync(join(this.root, path))
  }

  read(path: string): string {
    let text = this.#texts.get(path)
    if (text === undefined) {
      text = readFileSync(join(this.root, path), 'utf8')
      this.#texts.set(path, text)
    }
    return text
  }
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return GENERATED_FOLDERS.includes(entry.name) ? [] : filesBelow(root, path)
  })
}

/** Lists the tracked and untracked files, or returns undefined if `root` is not the root of a git repository. */
function gitFiles(root: string): string[] | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    if (realpathSync(git('rev-parse', '--show-toplevel').trim()) !== realpathSync(root)) return undefined
    return git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean)
  } catch {
    return undefined
  }
}

/** Whether a file exists only for tests: a test, a shared test suite, or test support. */
export function isTestFile(path: string): boolean {
  return /\.test\.ts$|-suite\.ts$|(^|\/)(test|testing|simulation)\/|\/testing(-[a-z-]+)?\.ts$/.test(path)
}
