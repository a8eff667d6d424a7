import type { Page } from '../../src/adapter/glasses-adapter.ts'
import { EvenG2, SerialBridge } from '../../src/even-hub/index.ts'
import { FakeEvenBridge } from './fake-even-bridge.ts'
import { ManualClock } from './manual-clock.ts'
import { RecordedEvents } from './recorded-events.ts'

/** The adapter on the fake of the maker's app, on one clock that only the test advances. */
export class EvenRig {
  readonly clock = new ManualClock()
  readonly bridge = new FakeEvenBridge(this.clock)
  readonly glasses = new EvenG2(new SerialBridge(this.bridge, this.clock), this.clock)
  readonly events = new RecordedEvents()

  /** Connects, and forgets the calls that it took. */
  async connect(): Promise<void> {
    await this.clock.during(this.glasses.connect(this.events), 100)
    this.bridge.calls.length = 0
  }

  /** Shows a page, and returns whether the glasses confirmed it within a second. */
  show(page: Page): Promise<boolean> {
    return this.clock.during(this.glasses.show(page), 1000)
  }
}

export async function connectedEvenRig(): Promise<EvenRig> {
  const rig = new EvenRig()
  await rig.connect()
  return rig
}
