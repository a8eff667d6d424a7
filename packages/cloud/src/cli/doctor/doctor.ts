import { type Config, ConfigError } from '../../config/index.ts'
import { argumentsOf, type Command, type CommandInput, print } from '../command.ts'
import { table } from '../table.ts'
import { checkDataFolder, checkSecret } from './check-data.ts'
import { checkDatabase } from './check-database.ts'
import { checkNode } from './check-node.ts'
import { checkRedis } from './check-redis.ts'
import { checkServer } from './check-server.ts'
import { checkSpeech } from './check-speech.ts'
import { type Finding, ok, wrong } from './finding.ts'

const checks: readonly ((config: Config) => Promise<Finding[]>)[] = [
  checkDataFolder,
  checkSecret,
  checkDatabase,
  checkRedis,
  checkSpeech,
  checkServer,
]

/** Looks at each configured part and says what is wrong with it. */
export const doctor: Command = {
  name: 'doctor',
  args: '',
  summary: 'Check each configured part, and say what is wrong and what to do',
  details: ['Ends with exit code 1 if something keeps the cloud from working.'],
  options: {},
  async run(input) {
    argumentsOf(input, [])
    const findings = [...(await checkNode()), ...(await checkConfigured(input))]
    print(input, table(findings.map(({ level, part, text }) => [level, part, text])))
    return findings.some(({ level }) => level === 'wrong') ? 1 : 0
  },
}

async function checkConfigured(input: CommandInput): Promise<Finding[]> {
  let config: Config
  try {
    config = input.config()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => wrong('settings', problem))
    throw error
  }
  const findings = [ok('settings', 'can be read')]
  // One after the other: the database check makes what the ones before it look for.
  for (const check of checks) findings.push(...(await check(config)))
  return findings
}
