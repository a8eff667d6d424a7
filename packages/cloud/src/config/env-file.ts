import { parseEnv } from 'node:util'
import { decodeText } from './text-file.ts'

/** What a file such as `.env` sets. */
export interface EnvFile {
  readonly values: Readonly<Record<string, string>>
  /** Sentences about lines whose effect is not what it seems; without values, which may be secrets. */
  readonly warnings: readonly string[]
}

/** A line, or several where a value in quotes contains line ends. */
const STATEMENT = /^(?!\s*#)[^\n=]*=[^\S\n]*(?:(["'`])[\s\S]*?\1)?.*|^.+/gm

/** A name, and what is after `=`. */
const ASSIGNMENT = /^([A-Za-z_][\w.]*)\s*=\s*([\s\S]*)$/

/** A value in quotes, and what follows it. */
const QUOTED = /^(["'`])([\s\S]*?)\1(.*)$/

/**
 * Reads a file `.env` as `parseEnv` of Node does, and also what that does not read: other encodings, other spaces, the
 * quotation marks of word processors, and `set` before a name.
 * @param file its name, for the warnings
 */
export function readEnvFile(bytes: Uint8Array, file = '.env'): EnvFile {
  const text = decodeText(bytes)
  const values: Record<string, string> = {}
  const lines = new Map<string, number>()
  const warnings: string[] = []
  for (const { 0: statement, index } of text.matchAll(STATEMENT)) {
    const cleaned = clean(statement)
    if (cleaned === '' || cleaned.startsWith('#')) continue
    const line = text.slice(0, index).split('\n').length
    const [, name, raw = ''] = ASSIGNMENT.exec(cleaned) ?? []
    if (name === undefined) {
      warnings.push(`${file} line ${line} is not NAME=value, and has no effect`)
      continue
    }
    const value = parseEnv(cleaned)[name] ?? ''
    const before = lines.get(name)
    if (before !== undefined && values[name] !== value)
      warnings.push(`${file} line ${line} sets ${name} again, so line ${before} has no effect`)
    const problem = problemOf(raw)
    if (problem !== undefined) warnings.push(`${file} line ${line}: the value of ${name} ${problem}`)
    lines.set(name, line)
    values[name] = value
  }
  return { values, warnings }
}

/** Writes a statement as Node reads it. */
function clean(statement: string): string {
  return statement
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[\u200b\u2060]/g, '')
    .trim()
    .replace(/^(?:export|set)\s+(?=\w+\s*=)/i, '')
    .replace(/^(\w+\s*=\s*)[“”„‟]([^“”„‟"]*)[“”]/, '$1"$2"')
    .replace(/^(\w+\s*=\s*)[‘’‚‛]([^‘’‚‛']*)[‘’]/, "$1'$2'")
}

/** Returns what is not as it seems with what is after `=`, to complete a sentence. */
function problemOf(raw: string): string | undefined {
  const [, , quoted, rest = ''] = QUOTED.exec(raw) ?? []
  if (quoted === undefined) {
    if (/^["'`]/.test(raw)) return 'has no closing quotation mark'
    if (/^#\S|[^\s#]#/.test(raw)) return 'ends at #; put it in quotes to keep what follows'
  } else {
    if (/\n\s*[A-Z][A-Z\d_]+\s*=/.test(quoted)) return 'contains the next lines; close its quotation mark'
    if (/^\s*[^#\s]/.test(rest)) return 'ends at its closing quotation mark, but text follows'
  }
  return undefined
}
