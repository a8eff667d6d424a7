import { parseArgs } from 'node:util'
import { type Config, ConfigError } from '../config/index.ts'
import { appList } from './app-list.ts'
import { appRegister } from './app-register.ts'
import { type Command, CommandError, type CommandIo, UsageError } from './command.ts'
import { doctor } from './doctor/doctor.ts'
import { orgAdd } from './org-add.ts'
import { reportList } from './report-list.ts'
import { simulate } from './simulate.ts'
import { token } from './token.ts'
import { userList } from './user-list.ts'

const commands: readonly Command[] = [
  token,
  appRegister,
  appList,
  userList,
  orgAdd,
  reportList,
  doctor,
  simulate,
]

/**
 * Runs one command of the operator's command line.
 * @param config reads the settings; called only by commands that need them
 * @returns the exit code: 0, 1 if the command could not do what was asked, 2 if it was called wrongly
 */
export async function runCommandLine(
  args: readonly string[],
  config: () => Config,
  io: CommandIo,
): Promise<number> {
  const say = (text: string) => io.stderr.write(`${text}\n`)
  const words = args.filter((arg) => !arg.startsWith('-'))
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  try {
    if (command === undefined) return overview(args, words, io)
    const rest = withoutName(args, command)
    if (rest.includes('--help') || rest.includes('-h')) {
      io.stdout.write(`${usageOf(command)}\n`)
      return 0
    }
    const { positionals, values } = parsed(rest, command)
    return (await command.run({ positionals, values, config, io })) ?? 0
  } catch (error) {
    if (error instanceof UsageError) {
      say(`${error.message}. Usage: ${callOf(command)}`)
      return 2
    }
    if (error instanceof CommandError || error instanceof ConfigError) say(error.message)
    else say(error instanceof Error ? error.message : String(error))
    return 1
  }
}

function overview(args: readonly string[], words: readonly string[], io: CommandIo): number {
  const lines = commands.map(({ name, args, summary }) => `  ${name} ${args}\n      ${summary}`)
  const text = ['Usage: npm run -s cli -- COMMAND', ...lines, 'COMMAND --help tells more.'].join('\n')
  if (args.includes('--help') || args.includes('-h') || words[0] === 'help') {
    io.stdout.write(`${text}\n`)
    return 0
  }
  io.stderr.write(
    words.length === 0 ? `${text}\n` : `There is no command "${words.slice(0, 2).join(' ')}".\n${text}\n`,
  )
  return 2
}

function withoutName(args: readonly string[], { name }: Command): string[] {
  const left = name.split(' ')
  return args.filter((arg) => {
    if (arg !== left[0]) return true
    left.shift()
    return false
  })
}

function parsed(args: string[], { options }: Command) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replace(/\.$/, '') : String(error))
  }
}

function usageOf(command: Command): string {
  return [
    `Usage: ${callOf(command)}`,
    command.summary,
    ...(command.details ?? []).map((line) => `  ${line}`),
  ].join('\n')
}

function callOf(command: Command | undefined): string {
  return command === undefined
    ? 'npm run -s cli -- COMMAND'
    : `npm run -s cli -- ${command.name} ${command.args}`
}
