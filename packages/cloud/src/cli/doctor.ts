import type { Finding } from '@glasses-cloud/contract'
import { type Config, ConfigError } from '../config/index.ts'
import { failure, ok, runChecks } from '../doctor/index.ts'
import { type Command, type CommandInput, print, readArguments } from './command.ts'
import { formatTable } from './table.ts'

export const doctor: Command = {
  name: 'doctor',
  args: '',
  summary: 'Check every configured part and report errors with instructions',
  details: ['Exits with code 1 if an error keeps the cloud from working.'],
  options: {},
  async run(input) {
    readArguments(input, [])
    const findings = await check(input)
    print(input, formatTable(findings.map(({ level, part, text }) => [level, part, text])))
    return findings.some(({ level }) => level === 'error') ? 1 : 0
  },
}

async function check(input: CommandInput): Promise<Finding[]> {
  let config: Config
  try {
    config = input.config()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => failure('settings', problem))
    throw error
  }
  return [ok('settings', 'valid'), ...(await runChecks(config, { isRunning: false }))]
}
