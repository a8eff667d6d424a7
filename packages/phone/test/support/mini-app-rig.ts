import type { Page } from '../../src/adapter/page.ts'
import { type HostGlasses, readGlasses } from '../../src/mini-app/host.ts'
import { HostChannel } from '../../src/mini-app/host-channel.ts'
import { MiniAppGlasses } from '../../src/mini-app/mini-app-glasses.ts'
import { ManualClock } from './manual-clock.ts'
import { G1_CAPABILITIES, MiniAppHost } from './mini-app-host.ts'
import { RecordedEvents } from './recorded-events.ts'

/** The adapter on the model of the host, on one clock that only the test advances. */
export class MiniAppRig {
  readonly clock = new ManualClock()
  readonly host: MiniAppHost = new MiniAppHost((text) => queueMicrotask(() => this.channel.receive(text)))
  readonly channel = new HostChannel(
    (text) => this.host.take(text),
    { capabilities: () => {}, closing: () => {} },
    this.clock,
  )
  readonly glasses = new MiniAppGlasses(this.channel, readGlasses(G1_CAPABILITIES) as HostGlasses, this.clock)
  readonly events = new RecordedEvents()

  /** Connects, and forgets the messages that it took. */
  async connect(): Promise<void> {
    await this.clock.during(this.glasses.connect(this.events), 100)
    this.host.received.length = 0
  }

  /** Shows a page, and returns whether the host confirmed it at once. */
  show(page: Page): Promise<boolean> {
    return this.clock.during(this.glasses.show(page), 100)
  }
}

export async function connectedMiniAppRig(): Promise<MiniAppRig> {
  const rig = new MiniAppRig()
  await rig.connect()
  return rig
}
