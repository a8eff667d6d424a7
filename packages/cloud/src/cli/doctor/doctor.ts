import { type Config, ConfigError } from '../../config/index.ts'
import { type Command, type CommandInput, print, readArguments } from '../command.ts'
import { formatTable } from '../table.ts'
import { checkDataFolder, checkSecret } from './check-data.ts'
import { checkDatabase } from './check-database.ts'
import { checkNode } from './check-node.ts'
import { checkRedis } from './check-redis.ts'
import { checkServer } from './check-server.ts'
import { checkSpeech } from './check-speech.ts'
import { type Finding, failure, ok } from './finding.ts'

const checks: readonly ((config: Config) => Promise<Finding[]>)[] = [
  checkDataFolder,
  checkSecret,
  checkDatabase,
  checkRedis,
  checkSpeech,
  checkServer,
]

export const doctor: Command = {
  name: 'doctor',
  args: '',
  summary: 'Check every configured part and report errors with instructions',
  details: ['Exits with code 1 if an error keeps the cloud from working.'],
  options: {},
  async run(input) {
    readArguments(input, [])
    const findings = [...(await checkNode()), ...(await checkConfigured(input))]
    print(input, formatTable(findings.map(({ level, part, text }) => [level, part, text])))
    return findings.some(({ level }) => level === 'error') ? 1 : 0
  },
}

async function checkConfigured(input: CommandInput): Promise<Finding[]> {
  let config: Config
  try {
    config = input.config()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => failure('settings', problem))
    throw error
  }
  const findings = [ok('settings', 'valid')]
  // In sequence: the database check creates files that earlier checks look for.
  for (const check of checks) findings.push(...(await check(config)))
  return findings
}
