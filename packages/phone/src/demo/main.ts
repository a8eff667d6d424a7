import { parseArgs } from 'node:util'
import { DemoEnvironment } from './demo-environment.ts'
import { DemoScreen } from './demo-screen.ts'
import type { Pace, Scenario } from './scenarios/captions.ts'
import { scenarios } from './scenarios/index.ts'

const NORMAL_PACE: Pace = { wordMs: 260, readMs: 1_200 }
const FAST_PACE: Pace = { wordMs: 25, readMs: 0 }

/** Exit code after Ctrl+C, as shells expect it. */
const INTERRUPTED = 130

const USAGE = `Usage: npm run demo -- [${Object.keys(scenarios).join('|')}] [--fast]`

/** @throws {Error} for an unknown scenario or option */
function parseArguments(args: string[]): { scenario: Scenario; pace: Pace } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { fast: { type: 'boolean', default: false } },
  })
  const [name = Object.keys(scenarios)[0] ?? '', ...more] = positionals
  const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
  if (!scenario || more.length > 0) throw new Error(`Unknown scenario "${positionals.join(' ')}"`)
  return { scenario, pace: values.fast ? FAST_PACE : NORMAL_PACE }
}

async function runScenario(scenario: Scenario, pace: Pace): Promise<void> {
  const screen = new DemoScreen(process.stdout, scenario.title)
  screen.narrate('Starting a cloud with a temporary data folder …')
  const demo = await DemoEnvironment.create(screen, scenario)
  const interrupt = () => {
    process.exitCode = INTERRUPTED
    void demo.close().finally(() => process.exit())
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    await Promise.race([scenario.run(demo, pace), demo.unexpectedExit])
  } finally {
    await demo.close()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
  screen.narrate('Done. All programs are stopped and the temporary files are deleted.')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

try {
  const { scenario, pace } = parseArguments(process.argv.slice(2))
  await runScenario(scenario, pace).catch((error) => {
    // An interrupted demo fails because its programs are stopped.
    if (process.exitCode !== INTERRUPTED) {
      console.error(`\nThe demo failed: ${messageOf(error)}`)
      process.exitCode = 1
    }
    // The scenario may still wait for something that a stopped program will not do.
    process.exit()
  })
} catch (error) {
  console.error(`${messageOf(error)}. ${USAGE}`)
  process.exitCode = 1
}
