import { BrilliantModel } from '@glasses-cloud/device-models/brilliant'
import { BrilliantGlasses } from '../../src/brilliant/index.ts'
import { ManualClock } from './manual-clock.ts'
import { RecordedEvents } from './recorded-events.ts'
import { textPage } from './text-page.ts'

/** The adapter on a modelled Frame or Halo, on one clock that only the test advances. */
export class BrilliantRig {
  readonly clock = new ManualClock()
  readonly model: BrilliantModel
  readonly glasses: BrilliantGlasses
  readonly events = new RecordedEvents()

  constructor(kind: 'Frame' | 'Halo') {
    this.model = new BrilliantModel(this.clock, kind)
    this.glasses = new BrilliantGlasses({ peripheral: this.model, clock: this.clock, random: () => 0 })
  }

  /** Connects, and waits until the glasses are at rest. */
  async connect(): Promise<void> {
    await this.during(this.glasses.connect(this.events), 3000)
  }

  /** Advances the clock, and returns what `promise` has become by then. */
  during<T>(promise: Promise<T>, ms: number): Promise<T> {
    return this.clock.during(promise, ms)
  }

  /** Shows lines, and returns whether the glasses confirmed them within a second. */
  show(...lines: string[]): Promise<boolean> {
    return this.during(this.glasses.show(textPage(...lines)), 1000)
  }
}

export async function connectedRig(kind: 'Frame' | 'Halo'): Promise<BrilliantRig> {
  const rig = new BrilliantRig(kind)
  await rig.connect()
  return rig
}
