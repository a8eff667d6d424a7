import { parseArgs } from 'node:util'
import {
  type Config,
  ConfigError,
  loadRemoteSettings,
  type RemoteSettings,
  VERSION,
} from '../config/index.ts'
import { startCloud } from '../start.ts'
import { appList, appRegister, orgAdd } from './app-commands.ts'
import { backup, restore, verify } from './backup-commands.ts'
import { type Command, CommandError, type CommandIo, readArguments, UsageError } from './command.ts'
import { health } from './health.ts'
import { modelCommands } from './model-commands.ts'
import { doctor, nodes, publicKey } from './operation.ts'
import { appCommands } from './remote/app-commands.ts'
import { login, whoami } from './remote/login.ts'
import { orgCommands } from './remote/org-commands.ts'
import { reportList } from './report-list.ts'
import { recognizer, simulate } from './simulate.ts'
import { upgrade } from './upgrade.ts'
import { token, userAdmin, userConfirm, userList } from './user-commands.ts'

/** How this command line is called: in an installed release, which runs from the bundle, or in a clone. */
const INVOCATION = import.meta.url.endsWith('.ts') ? 'npm run -s cli --' : 'glasses-cloud'

/** Starts the cloud, in an installed release; `npm start` does so in a clone. */
const start: Command = {
  name: 'start',
  args: '',
  summary: 'Start the cloud and run it until SIGTERM or SIGINT',
  details: ['Its settings are in the environment, and in the file .env of the working directory.'],
  options: {},
  async run(input) {
    readArguments(input, [])
    await startCloud()
    return undefined
  },
}

const commands: readonly Command[] = [
  start,
  token,
  appRegister,
  appList,
  userList,
  nodes,
  publicKey,
  userAdmin,
  userConfirm,
  orgAdd,
  reportList,
  ...modelCommands,
  backup,
  verify,
  restore,
  upgrade,
  health,
  doctor,
  simulate,
  recognizer,
  login,
  whoami,
  ...appCommands,
  ...orgCommands,
]

/**
 * Runs a command of the operator's command line.
 * @param config reads the settings; called only by commands that need them
 * @param remote reads the settings of commands that talk to a cloud over HTTP
 * @returns the exit code: 0, 1 if the command failed, 2 if its arguments are invalid
 */
export async function runCommandLine(
  args: readonly string[],
  config: () => Config,
  io: CommandIo,
  remote: () => RemoteSettings = loadRemoteSettings,
): Promise<number> {
  const report = (text: string) => io.stderr.write(`${text}\n`)
  const words = args.filter((arg) => !arg.startsWith('-'))
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  try {
    if (command === undefined) return printOverview(args, words, io)
    const rest = removeName(args, command)
    if (rest.includes('--help') || rest.includes('-h')) {
      io.stdout.write(`${usageOf(command)}\n`)
      return 0
    }
    const { positionals, values } = parseCommandArgs(rest, command)
    return (await command.run({ positionals, values, config, remote, io })) ?? 0
  } catch (error) {
    if (error instanceof UsageError) {
      report(`${error.message}. Usage: ${callOf(command)}`)
      return 2
    }
    if (error instanceof CommandError || error instanceof ConfigError) report(error.message)
    else report(error instanceof Error ? error.message : String(error))
    return 1
  }
}

function printOverview(args: readonly string[], words: readonly string[], io: CommandIo): number {
  if (args.length === 1 && args[0] === '--version') {
    io.stdout.write(`glasses-cloud ${VERSION}\n`)
    return 0
  }
  const lines = commands.map(
    ({ name, args, summary }) => `${`  ${name} ${args}`.trimEnd()}\n      ${summary}`,
  )
  const text = [`Usage: ${INVOCATION} COMMAND`, ...lines, 'Run COMMAND --help for details.'].join('\n')
  if (args.includes('--help') || args.includes('-h') || words[0] === 'help') {
    io.stdout.write(`${text}\n`)
    return 0
  }
  io.stderr.write(
    words.length === 0 ? `${text}\n` : `Unknown command "${words.slice(0, 2).join(' ')}".\n${text}\n`,
  )
  return 2
}

function removeName(args: readonly string[], { name }: Command): string[] {
  const remaining = name.split(' ')
  return args.filter((arg) => {
    if (arg !== remaining[0]) return true
    remaining.shift()
    return false
  })
}

function parseCommandArgs(args: string[], { options }: Command) {
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
    ? `${INVOCATION} COMMAND`
    : `${INVOCATION} ${command.name} ${command.args}`.trimEnd()
}
