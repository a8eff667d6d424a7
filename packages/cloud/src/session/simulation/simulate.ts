import { checkAfterEnd, checkAlways, checkAtRest } from './invariants.ts'
import { SeededRandom } from './random.ts'
import { packages, World } from './world.ts'

/** Something that may happen at any moment. */
type Step = (world: World) => void

const steps: readonly (readonly [weight: number, name: string, step: Step])[] = [
  [4, 'time passes', ({ clock, random }) => clock.advance(random.below(1_000))],
  [3, 'much time passes', ({ clock, random }) => clock.advance(random.below(20_000))],
  [1, 'a long time passes', ({ clock, random }) => clock.advance(random.below(70_000))],
  [3, 'glasses connect', (world) => world.connectGlasses()],
  [2, 'glasses break off', breakGlasses],
  [5, 'an app is started', (world) => world.start(world.random.pick(packages))],
  [3, 'an app is stopped', (world) => world.stop(world.random.pick(packages))],
  [3, 'an app breaks off', breakApp],
  [2, 'an app connects by itself', (world) => world.connectApp(world.random.pick(packages))],
  [1, 'an app releases its socket', releaseApp],
  [4, 'an app renews its list', renewList],
  [4, 'an app shows something', (world) => world.show(world.random.pick(packages))],
  [
    2,
    'an app shows something for a while',
    (world) => world.show(world.random.pick(packages), 1 + world.random.below(5_000)),
  ],
  [3, 'the wearer speaks', speak],
  [
    2,
    'sound comes',
    (world) => fromGlasses(world, (peer) => world.session.audioFromGlasses(peer, new Uint8Array(64))),
  ],
  [1, 'the glasses change', changeGlasses],
  [1, 'a wrong key comes', (world) => world.session.refuseApp(world.random.pick(packages))],
]
const totalWeight = steps.reduce((sum, [weight]) => sum + weight, 0)

/**
 * Runs one schedule: a world of random faults for a random while, then peace, then the end. Checks what must
 * always hold after each step, and what must hold at rest and after the end.
 * @param seed the same seed gives the same run
 * @throws Error that names the seed, the broken promise and the last steps
 */
export function simulate(seed: number): void {
  const random = new SeededRandom(seed)
  const world = new World(random, random.chance(0.3) ? packages.slice(1, 1 + random.below(3)) : [])
  const trace: string[] = []
  const happens = (name: string, act: () => void) => {
    trace.push(`${world.clock.now()} ${name}`)
    act()
    if (world.ended === 0) checkAlways(world)
  }
  try {
    const length = 10 + random.below(50)
    for (let step = 0; step < length && world.ended === 0; step += 1) {
      const [, name, act] = pickStep(random)
      happens(name, () => act(world))
    }
    if (world.ended === 0 && random.chance(0.7)) {
      happens('peace', () => comeToRest(world))
      checkAtRest(world)
    }
    if (world.ended === 0) happens('the end', () => world.session.end())
    checkAfterEnd(world)
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${trace.slice(-25).join('\n')}`, {
      cause: error,
    })
  }
}

function comeToRest(world: World): void {
  world.calm = true
  world.connectGlasses()
  world.clock.advance(4 * 60_000)
  if (world.ended > 0) return
  for (const packageName of world.session.appState.activeApps) world.show(packageName)
  world.clock.advance(30_000)
}

function pickStep(random: SeededRandom) {
  let left = random.below(totalWeight)
  for (const step of steps) {
    left -= step[0]
    if (left < 0) return step
  }
  throw new Error('the weights do not add up')
}

function fromGlasses(world: World, act: (peer: NonNullable<World['currentGlasses']>) => void): void {
  if (world.currentGlasses) act(world.currentGlasses)
}

function breakGlasses(world: World): void {
  fromGlasses(world, (peer) => world.breakPeer(peer, () => world.session.detachGlasses(peer)))
}

function breakApp(world: World): void {
  const packageName = world.random.pick(packages)
  const [peer] = world.openPeers(packageName)
  if (peer) world.breakPeer(peer, () => world.session.detachApp(packageName, peer))
}

function releaseApp(world: World): void {
  const packageName = world.random.pick(packages)
  const [peer] = world.openPeers(packageName)
  if (!peer) return
  world.session.fromApp(packageName, peer, { type: 'ownership_release', reason: 'clean_shutdown' })
  breakApp(world)
}

function renewList(world: World): void {
  const packageName = world.random.pick(packages)
  const [peer] = world.openPeers(packageName)
  if (peer) world.subscribe(packageName, peer)
}

function speak(world: World): void {
  const isFinal = world.random.chance(0.5)
  fromGlasses(world, (peer) =>
    world.session.fromGlasses(peer, { type: 'local_transcription', text: 'hello', isFinal }),
  )
}

function changeGlasses(world: World): void {
  const modelName = world.random.pick(['Mentra Live', 'Simulated Glasses', 'Unknown', null])
  const status = world.random.pick(['CONNECTED', 'CONNECTED', 'DISCONNECTED'])
  fromGlasses(world, (peer) => {
    world.session.fromGlasses(peer, { type: 'glasses_connection_state', modelName, status })
    // At rest the lens must be there to be looked at.
    if (status === 'DISCONNECTED') {
      world.clock.after(2_000, () => world.session.glassesDevice.report({ connected: true }))
    }
  })
}
