import { parseArgs } from 'node:util'
import { DemoEnvironment } from './demo-environment.ts'
import { DemoScreen } from './demo-screen.ts'
import type { Pace, Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

const NORMAL_PACE: Pace = { wordMs: 260, readMs: 1_200 }
const FAST_PACE: Pace = { wordMs: 25, readMs: 0 }

const usage = `Usage: npm run demo -- [${Object.keys(scenarios).join('|')}] [--fast]`

/** What was asked for on the command line; throws a sentence when there is no such thing. */
function parseArguments(args: string[]): { scenario: Scenario; pace: Pace } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { fast: { type: 'boolean', default: false } },
  })
  const [name = Object.keys(scenarios)[0] ?? '', ...more] = positionals
  const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
  if (!scenario || more.length > 0) throw new Error(`There is no scenario "${positionals.join(' ')}"`)
  return { scenario, pace: values.fast ? FAST_PACE : NORMAL_PACE }
}

async function runScenario(scenario: Scenario, pace: Pace): Promise<void> {
  const stage = new DemoScreen(process.stdout, scenario.title)
  stage.narrate('A cloud is started, with nothing but a folder of its own.')
  const theatre = await DemoEnvironment.open(stage, scenario.cloudEnv)
  const leave = () => void theatre.close().finally(() => process.exit(130))
  process.once('SIGINT', leave).once('SIGTERM', leave)
  try {
    await Promise.race([scenario.run(theatre, pace), theatre.unexpectedExit])
  } finally {
    await theatre.close()
    process.off('SIGINT', leave).off('SIGTERM', leave)
  }
  stage.narrate('That was all; everything is stopped, and nothing is left behind.')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

try {
  const { scenario, pace } = parseArguments(process.argv.slice(2))
  await runScenario(scenario, pace).catch((error) => {
    console.error(`\nThe demo failed: ${messageOf(error)}`)
    process.exitCode = 1
  })
} catch (error) {
  console.error(`${messageOf(error)}. ${usage}`)
  process.exitCode = 1
}
