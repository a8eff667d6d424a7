import type { AreaOf, Step } from './areas/area.ts'
import { Dashboard } from './areas/dashboard.ts'
import { Hearing } from './areas/hearing.ts'
import { Lens } from './areas/lens.ts'
import { Life } from './areas/life.ts'
import { Location } from './areas/location.ts'
import { MiniApps } from './areas/mini-apps.ts'
import { Lights, Sounds } from './areas/outputs.ts'
import { Photos } from './areas/photos.ts'
import { Polls } from './areas/polls.ts'
import { Rooms } from './areas/rooms.ts'
import { Settings } from './areas/settings.ts'
import { packages } from './cast.ts'
import { checkAfterEnd, checkAlways, checkAtRest } from './invariants.ts'
import { SeededRandom } from './random.ts'
import { World } from './world.ts'

const areas: readonly AreaOf[] = [
  Life,
  Lens,
  Hearing,
  Photos,
  Location,
  MiniApps,
  Polls,
  Sounds,
  Lights,
  Rooms,
  Dashboard,
  Settings,
]

/**
 * Runs one schedule: a world of random faults for a random while, then peace, then the end. Checks what must
 * always hold after each step, and what must hold at rest and after the end.
 * @param seed the same seed gives the same run
 * @throws Error that names the seed, the broken promise and the last steps
 */
export function simulate(seed: number): void {
  const random = new SeededRandom(seed)
  const world = new World(random, random.chance(0.3) ? packages.slice(1, 1 + random.below(3)) : [], areas)
  const steps = stepsOf(world)
  const happens = (name: string, act: () => void) => {
    world.trace.push(`${world.clock.now()} ${name}`)
    act()
    world.observe()
    if (world.ended === 0) checkAlways(world)
  }
  try {
    if (random.chance(0.5)) happens('apps are started', () => startApps(world))
    const length = 10 + random.below(50)
    for (let step = 0; step < length && world.ended === 0; step += 1) {
      const [, name, act] = pickStep(steps, random)
      happens(name, act)
    }
    if (world.ended === 0 && random.chance(0.7)) {
      happens('peace', () => comeToRest(world))
      checkAtRest(world)
    }
    if (world.ended === 0) happens('the end', () => world.session.end())
    checkAfterEnd(world)
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${world.trace.slice(-25).join('\n')}`, {
      cause: error,
    })
  }
}

/** So that there is somebody to ask for something from the beginning. */
function startApps(world: World): void {
  world.connectGlasses()
  for (const packageName of packages.slice(1)) world.start(packageName)
  world.clock.advance(3_000)
}

function comeToRest(world: World): void {
  world.calm = true
  world.connectGlasses()
  world.clock.advance(4 * 60_000)
  if (world.ended > 0) return
  for (const area of world.areas) area.comeToRest?.()
  world.clock.advance(30_000)
}

/** What may happen in this schedule: apps and glasses always, of the rest some, so that it happens often enough. */
function stepsOf({ areas, random }: World): readonly Step[] {
  const [lists, life, ...others] = areas
  const share = random.pick([0.2, 0.4, 1])
  return [lists, life, ...others.filter(() => random.chance(share))].flatMap((area) => area?.steps ?? [])
}

function pickStep(steps: readonly Step[], random: SeededRandom): Step {
  let left = random.below(steps.reduce((sum, [weight]) => sum + weight, 0))
  for (const step of steps) {
    left -= step[0]
    if (left < 0) return step
  }
  throw new Error('the weights do not add up')
}
