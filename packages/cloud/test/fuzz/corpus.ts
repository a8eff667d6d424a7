import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FuzzTarget } from './target.ts'

const FOLDER = import.meta.dirname

/** Returns the names of the targets, sorted. */
export function targetNames(): string[] {
  return globSync('*.ts', { cwd: join(FOLDER, 'targets') })
    .map((file) => basename(file, '.ts'))
    .sort()
}

export async function loadTarget(name: string): Promise<FuzzTarget> {
  const { target } = (await import(`./targets/${name}.ts`)) as { readonly target: FuzzTarget }
  return target
}

const corpusFile = (name: string) => join(FOLDER, 'corpus', `${name}.txt`)

/** Returns the inputs in the repository: one to a line, in printable characters, of others `%` and two digits. */
export function readCorpus(name: string): Buffer[] {
  const file = corpusFile(name)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => Buffer.from(unescapeLine(line), 'latin1'))
}

export function writeCorpus(name: string, inputs: readonly Buffer[]): void {
  writeFileSync(corpusFile(name), inputs.map((input) => `${encodeInput(input)}\n`).join(''))
}

/** Returns an input as a line of a corpus. */
export function encodeInput(input: Buffer): string {
  return input
    .toString('latin1')
    .replaceAll(/[^ -$&-~]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function unescapeLine(line: string): string {
  return line.replaceAll(/%([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
