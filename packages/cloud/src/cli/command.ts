import type { ParseArgsOptionsConfig } from 'node:util'
import { type Config, type RemoteSettings, readTextFile } from '../config/index.ts'

/** Arguments, settings and streams of a command. */
export interface CommandInput {
  /** Positional arguments. */
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  /** Reads the settings. @throws ConfigError if any value is invalid */
  readonly config: () => Config
  /** Reads the settings of commands that talk to a cloud over HTTP. */
  readonly remote: () => RemoteSettings
  readonly io: CommandIo
}

export interface CommandIo {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream
}

/** A command of the operator's command line. */
export interface Command {
  /** One or two words, such as `app register`. */
  readonly name: string
  /** Arguments and options in the usage line. */
  readonly args: string
  /** One-line description. */
  readonly summary: string
  /** Further lines of the help text, such as descriptions of options. */
  readonly details?: readonly string[]
  readonly options: ParseArgsOptionsConfig
  /** @returns the exit code; undefined for 0 */
  run(input: CommandInput): Promise<number | undefined>
}

/** Invalid arguments: reported on standard error with exit code 2. */
export class UsageError extends Error {}

/** A failed command: reported on standard error with exit code 1. */
export class CommandError extends Error {}

/** Returns the value of a string option. */
export function textOption({ values }: CommandInput, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns the named positional arguments. @throws UsageError for a missing or unexpected argument */
export function readArguments<const Names extends readonly string[]>(
  { positionals }: CommandInput,
  names: Names,
): { readonly [Index in keyof Names]: string } {
  const missing = names[positionals.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  const extra = positionals[names.length]
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}"`)
  return positionals as unknown as { readonly [Index in keyof Names]: string }
}

/** Writes a line to standard output. */
export function print(input: CommandInput, line: string): void {
  input.io.stdout.write(`${line}\n`)
}

/** Formats rows with aligned columns. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((widest, row) => {
    return row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0))
  }, [])
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** Reads a JSON file that the user names. @throws CommandError if it cannot be read or is not valid JSON */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readTextFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code})`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(
      `${file} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
