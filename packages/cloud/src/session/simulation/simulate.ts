import { AppMessages } from './areas/app-messages.ts'
import type { Step } from './areas/area.ts'
import { AudioInput } from './areas/audio-input.ts'
import { Dashboard } from './areas/dashboard.ts'
import { AudioPlayback, LedControl } from './areas/device-commands.ts'
import { Lifecycle } from './areas/lifecycle.ts'
import { Location } from './areas/location.ts'
import { LocationPolls } from './areas/location-polls.ts'
import { MainView } from './areas/main-view.ts'
import { MiniApps } from './areas/mini-apps.ts'
import { Photos } from './areas/photos.ts'
import { Settings } from './areas/settings.ts'
import { type AreaClass, Environment } from './environment.ts'
import { PACKAGES, SeededRandom } from './fixtures.ts'
import { checkAfterEnd, checkAlways, checkAtRest } from './invariants.ts'

const areas: readonly AreaClass[] = [
  Lifecycle,
  MainView,
  AudioInput,
  Photos,
  Location,
  MiniApps,
  LocationPolls,
  AudioPlayback,
  LedControl,
  AppMessages,
  Dashboard,
  Settings,
]

/**
 * Runs one schedule: random steps and faults, then in most schedules a period without faults, then the end of the
 * session. Checks the invariants after each step, at rest and after the end.
 * @param seed the same seed produces the same run
 * @throws Error with the seed, the violated invariant and the last steps
 */
export function simulate(seed: number): void {
  const random = new SeededRandom(seed)
  const env = new Environment(random, random.chance(0.3) ? PACKAGES.slice(1, 1 + random.below(3)) : [], areas)
  const steps = stepsOf(env)
  const runStep = (name: string, run: () => void) => {
    env.trace.push(`${env.clock.monotonicNow()} ${name}`)
    run()
    env.observe()
    if (env.endCount === 0) checkAlways(env)
  }
  try {
    if (random.chance(0.5)) runStep('apps start', () => startApps(env))
    const length = 10 + random.below(50)
    for (let step = 0; step < length && env.endCount === 0; step += 1) {
      const [, name, run] = pickStep(steps, random)
      runStep(name, run)
    }
    if (env.endCount === 0 && random.chance(0.7)) {
      runStep('faults stop', () => runToRest(env))
      checkAtRest(env)
    }
    if (env.endCount === 0) runStep('the session ends', () => env.session.end())
    checkAfterEnd(env)
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${env.trace.slice(-25).join('\n')}`, {
      cause: error,
    })
  }
}

/** Starts apps first, so that more steps have an effect. */
function startApps(env: Environment): void {
  env.connectGlasses()
  for (const packageName of PACKAGES.slice(1)) env.start(packageName)
  env.clock.advance(3_000)
}

function runToRest(env: Environment): void {
  env.isCalm = true
  env.connectGlasses()
  env.clock.advance(4 * 60_000)
  if (env.endCount > 0) return
  for (const area of env.areas) area.prepareRest?.()
  env.clock.advance(30_000)
}

/** Picks the areas of the schedule: lifecycle always, and a random share of the others, so that their steps are frequent. */
function stepsOf({ areas, random }: Environment): readonly Step[] {
  const [subscriptionLists, lifecycle, ...others] = areas
  const share = random.pick([0.2, 0.4, 1])
  return [subscriptionLists, lifecycle, ...others.filter(() => random.chance(share))].flatMap(
    (area) => area?.steps ?? [],
  )
}

function pickStep(steps: readonly Step[], random: SeededRandom): Step {
  let left = random.below(steps.reduce((sum, [weight]) => sum + weight, 0))
  for (const step of steps) {
    left -= step[0]
    if (left < 0) return step
  }
  throw new Error('the weights must add up')
}
