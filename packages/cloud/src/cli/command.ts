import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../config/index.ts'

/** What a command is given. */
export interface CommandInput {
  /** Arguments without options. */
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  /** Reads the settings. @throws ConfigError naming every wrong value */
  readonly config: () => Config
  readonly io: CommandIo
}

/** Where a command reads and writes. */
export interface CommandIo {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream
}

/** One command of the command line. */
export interface Command {
  /** Words it is called by: `app register`. */
  readonly name: string
  /** Arguments and options, as usage shows them. */
  readonly args: string
  /** What it does, in one line. */
  readonly summary: string
  /** What options mean, a line each. */
  readonly details?: readonly string[]
  readonly options: ParseArgsOptionsConfig
  /** @returns the exit code; nothing for 0 */
  run(input: CommandInput): Promise<number | undefined>
}

/** The command was not called as it must be: told on standard error, exit code 2. */
export class UsageError extends Error {}

/** The command cannot do what was asked: told on standard error, exit code 1. */
export class CommandError extends Error {}

/** The value of a text option. */
export function textOption({ values }: CommandInput, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Exactly the positional arguments a command has. @throws UsageError naming what is missing or too much */
export function argumentsOf<const Names extends readonly string[]>(
  { positionals }: CommandInput,
  names: Names,
): { readonly [Index in keyof Names]: string } {
  const missing = names[positionals.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  const extra = positionals[names.length]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many`)
  return positionals as unknown as { readonly [Index in keyof Names]: string }
}

/** Writes one line. */
export function print(input: CommandInput, line: string): void {
  input.io.stdout.write(`${line}\n`)
}
