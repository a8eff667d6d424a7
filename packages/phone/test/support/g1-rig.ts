import { EvenG1Model } from '@glasses-cloud/device-models'
import { EvenG1 } from '../../src/even-g1/index.ts'
import { ManualClock } from './manual-clock.ts'
import { RecordedEvents } from './recorded-events.ts'
import { textPage } from './text-page.ts'

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
  during<T>(promise: Promise<T>, ms: number): Promise<T> {
    return this.clock.during(promise, ms)
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
