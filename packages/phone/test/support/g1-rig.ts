import { EvenG1Model } from '@glasses-cloud/device-models'
import type { AdapterEvents, Gesture, Link } from '../../src/adapter/glasses-adapter.ts'
import type { TextPage } from '../../src/adapter/page.ts'
import { EvenG1 } from '../../src/even-g1/index.ts'
import { ManualClock } from './manual-clock.ts'

/** Everything that an adapter reported. */
export class RecordedEvents implements AdapterEvents {
  readonly links: Link[] = []
  readonly batteries: number[] = []
  readonly gestures: Gesture[] = []
  readonly heads: string[] = []
  readonly wornStates: boolean[] = []
  readonly audioPackets: Uint8Array[] = []
  readonly problems: string[] = []

  link(link: Link): void {
    this.links.push(link)
  }
  battery(level: number): void {
    this.batteries.push(level)
  }
  gesture(gesture: Gesture): void {
    this.gestures.push(gesture)
  }
  head(position: 'up' | 'down'): void {
    this.heads.push(position)
  }
  worn(isWorn: boolean): void {
    this.wornStates.push(isWorn)
  }
  audio(frames: Uint8Array): void {
    this.audioPackets.push(frames)
  }
  problem(error: Error): void {
    this.problems.push(error.message)
  }

  /** Everything that was reported, counted. */
  get count(): number {
    const lists = [this.links, this.batteries, this.gestures, this.heads, this.wornStates, this.audioPackets]
    return lists.reduce((sum, list) => sum + list.length, this.problems.length)
  }
}

/** The adapter on a modelled pair of glasses, on one clock that only the test advances. */
export class G1Rig {
  readonly clock = new ManualClock()
  readonly model = new EvenG1Model(this.clock)
  readonly glasses = new EvenG1({
    left: this.model.left,
    right: this.model.right,
    clock: this.clock,
    random: () => 0,
  })
  readonly events = new RecordedEvents()

  /** Connects, and waits until the glasses are at rest. */
  async connect(): Promise<void> {
    await this.during(this.glasses.connect(this.events), 1000)
  }

  /** Advances the clock, and returns what `promise` has become by then. */
  async during<T>(promise: Promise<T>, ms: number): Promise<T> {
    const result = promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    await this.clock.advance(ms)
    const settled = await Promise.race([
      result,
      new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
    ])
    if (settled === undefined) throw new Error(`Not settled after ${ms} ms.`)
    if ('error' in settled) throw settled.error
    return settled.value
  }

  /** Shows lines, and returns whether the glasses confirmed them within a second. */
  show(...lines: string[]): Promise<boolean> {
    return this.during(this.glasses.show(textPage(...lines)), 1000)
  }
}

export async function connectedRig(): Promise<G1Rig> {
  const rig = new G1Rig()
  await rig.connect()
  return rig
}

export function textPage(...lines: string[]): TextPage {
  return { kind: 'text', lines, number: 1, total: 1 }
}
