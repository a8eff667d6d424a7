import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type ParseResult, parseSync } from 'oxc-parser'

/** One TypeScript file, parsed. */
export interface SourceFile {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly parsed: ParseResult
}

/** Something a checker does not accept: `path:line  sentence`. */
export type Complaint = string

/** Words a complaint: where it is, and what is wrong there. `offset` counts characters from the start of the file. */
export function complaint(path: string, text: string, offset: number, sentence: string): Complaint {
  return `${path}:${text.slice(0, offset).split('\n').length}  ${sentence}`
}

/** What is installed, or made by running. */
const made = ['node_modules', '.git', 'data', 'coverage']

/**
 * Every file that is or would be part of a commit, relative to the root. Without git (an unpacked archive): every
 * file that is not in a folder of things made.
 */
export function projectFiles(root: string): string[] {
  return (gitFiles(root) ?? filesBelow(root, ''))
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true)
    .sort()
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return made.includes(entry.name) ? [] : filesBelow(root, path)
  })
}

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

/** Every TypeScript file of the project, parsed. */
export function sourceFiles(root: string): SourceFile[] {
  return projectFiles(root)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, parsed: parseSync(path, text) }
    })
}

/** Whether a file is there for tests alone: a test, a suite that several tests share, or what they are built with. */
export function isTestFile(path: string): boolean {
  return /\.test\.ts$|-suite\.ts$|(^|\/)(test|testing|simulation)\/|\/testing(-[a-z-]+)?\.ts$/.test(path)
}
