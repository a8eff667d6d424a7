import type { TestContext } from 'node:test'
import type { GlassesAdapter } from '../../src/adapter/glasses-adapter.ts'
import { Phone } from '../../src/index.ts'
import { FakeCloud } from './fake-cloud.ts'
import type { ManualClock } from './manual-clock.ts'

/** A phone with glasses, on one clock that only the test advances. */
export class WornPhone {
  readonly phone: Phone
  readonly #cloud: FakeCloud
  readonly #clock: ManualClock

  private constructor(cloud: FakeCloud, phone: Phone, clock: ManualClock) {
    this.#cloud = cloud
    this.phone = phone
    this.#clock = clock
  }

  static async putOn(t: TestContext, glasses: GlassesAdapter, clock: ManualClock): Promise<WornPhone> {
    const cloud = await FakeCloud.start(t, { onRequest: (_, response) => response.end('{}') })
    const phone = new Phone(glasses, { url: cloud.url, token: 't', clock, random: () => 0 })
    const worn = new WornPhone(cloud, phone, clock)
    t.after(() => worn.finish(phone.disconnect()))
    await worn.finish(phone.connect())
    return worn
  }

  /** Advances the clock until a promise is settled. */
  async finish<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    promise.then(settle, settle)
    while (!isSettled) await this.#clock.advance(10)
    return promise
  }

  /** Sends a text as the cloud does, and waits until the phone has handled it. */
  async show(text: string): Promise<void> {
    const connection = await this.#cloud.connection(0)
    connection.send({ type: 'display_event', view: 'main', layout: { layoutType: 'text_wall', text } })
    connection.send({ type: 'marker' })
    await this.phone.waitForMessage('marker')
  }
}
