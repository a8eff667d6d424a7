import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  type FakeProvider,
  FakeSocketProvider,
  FakeTcpProvider,
  providerKey,
} from '../../src/features/stt/testing/fake-provider.ts'
import { FakeSonioxConnection } from '../../src/features/stt/testing/fake-soniox.ts'
import { FakeWyomingConnection } from '../../src/features/stt/testing/fake-wyoming.ts'
import { codedSpeech } from '../../src/session/testing/coded-speech.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { AppSocketRig } from '../support/app-socket-rig.ts'

const STEP_MS = 100
const STEP_BYTES = STEP_MS * 32

/** A user who speaks, an app with the subscription, and two providers, all on real sockets. */
class Conversation {
  readonly rig: AppSocketRig
  readonly soniox: FakeProvider
  readonly wyoming: FakeProvider
  readonly apps: SocketClient[] = []
  readonly #t: TestContext
  readonly #user: Awaited<ReturnType<AppSocketRig['startApp']>>
  #glasses: SocketClient

  private constructor(
    t: TestContext,
    rig: AppSocketRig,
    providers: { readonly soniox: FakeProvider; readonly wyoming: FakeProvider },
    user: Awaited<ReturnType<AppSocketRig['startApp']>>,
  ) {
    this.#t = t
    this.rig = rig
    this.soniox = providers.soniox
    this.wyoming = providers.wyoming
    this.#user = user
    this.#glasses = user.glasses
  }

  static async start(t: TestContext): Promise<Conversation> {
    const soniox = await FakeSocketProvider.start(t, FakeSonioxConnection)
    const wyoming = await FakeTcpProvider.start(t, FakeWyomingConnection)
    const rig = await AppSocketRig.start(t, {
      STT_PROVIDERS: 'soniox,wyoming',
      SONIOX_API_KEY: providerKey,
      SONIOX_URL: `ws://127.0.0.1:${soniox.port}`,
      WYOMING_URL: `tcp://127.0.0.1:${wyoming.port}`,
    })
    const user = await rig.startApp(t)
    const conversation = new Conversation(t, rig, { soniox, wyoming }, user)
    await conversation.connectApp()
    return conversation
  }

  async connectApp(): Promise<void> {
    const app = await SocketClient.open(this.#t, this.rig.url)
    app.send(this.#user.init)
    await app.next('tpa_connection_ack')
    app.send({ type: 'subscription_update', subscriptions: ['transcription:en-US'] })
    this.apps.push(app)
  }

  async reconnectApp(): Promise<void> {
    this.apps.at(-1)?.ws.terminate()
    await this.connectApp()
  }

  async reconnectPhone(): Promise<void> {
    this.#glasses.ws.close()
    await this.#glasses.closed()
    const token = await this.rig.cloud.token(this.#user.email)
    this.#glasses = await SocketClient.open(this.#t, `${this.rig.cloud.wsUrl}/glasses-ws`, bearer(token))
    await this.#glasses.next('connection_ack')
  }

  /** Plays audio in real time of the virtual clock; each step waits until the cloud has handled it. */
  async play(pcm: Buffer): Promise<void> {
    for (let at = 0; at < pcm.byteLength; at += STEP_BYTES) {
      this.#glasses.send(pcm.subarray(at, at + STEP_BYTES))
      this.#glasses.send({ type: 'ping' })
      await this.#glasses.next('pong')
      this.rig.clock.advance(STEP_MS)
      // The providers and the cloud exchange messages.
      for (let turn = 0; turn < 8; turn += 1) await setImmediate()
    }
  }

  /** The words of the final segments that the app received on all its sockets. */
  get words(): string[] {
    return this.apps
      .flatMap((app) => app.of('data_stream'))
      .map(({ data }) => data as Record<string, unknown>)
      .filter(({ isFinal }) => isFinal === true)
      .flatMap(({ text }) => String(text).split(' '))
  }
}

describe('speech through faults', () => {
  test('STT-26: two minutes of speech through ten faults', async (t) => {
    const conversation = await Conversation.start(t)
    const { soniox, wyoming } = conversation
    const drop = (provider: FakeProvider) => {
      provider.fault = 'drop'
    }
    const faults: readonly (readonly [afterUtterance: number, inject: () => unknown])[] = [
      [5, () => drop(soniox)],
      [9, () => conversation.reconnectApp()],
      [12, () => conversation.reconnectPhone()],
      [16, () => drop(soniox)],
      [17, () => drop(wyoming)],
      [
        22,
        () => {
          soniox.fault = 'cap'
        },
      ],
      [
        26,
        () => {
          soniox.fault = 'garbage'
        },
      ],
      [
        27,
        () => {
          soniox.fault = undefined
          drop(wyoming)
        },
      ],
      [32, () => conversation.reconnectApp()],
      [36, () => conversation.reconnectPhone()],
    ]
    const spoken: string[] = []
    let word = 0
    for (let utterance = 0; utterance < 45; utterance += 1) {
      const numbers = Array.from({ length: 2 + (utterance % 5) }, () => word++)
      spoken.push(...numbers.map((number) => `w${number}`))
      await conversation.play(codedSpeech(numbers, utterance % 3 === 0 ? 300 : 1_600))
      for (const [after, inject] of faults) if (after === utterance) await inject()
    }
    for (let waited = 0; waited < 60 && conversation.words.length < spoken.length; waited += 1)
      await conversation.play(Buffer.alloc(STEP_BYTES * 10))
    await conversation.play(Buffer.alloc(STEP_BYTES * 20))
    assert.deepEqual(conversation.words, spoken)
    assert.ok(soniox.opened >= 5 && wyoming.opened >= 4, `${soniox.opened} ${wyoming.opened}`)
    const { body } = await conversation.rig.cloud.request<string>('GET', '/metrics')
    assert.match(body, /speech_failovers_total\{from="soniox"\} [1-9]/)
    assert.match(body, /speech_streamed_seconds_total\{provider="soniox"\} [1-9]/)
    assert.match(body, /speech_delay_seconds_count\{provider="wyoming"\} [1-9]/)
    assert.match(body, /speech_streams 1\n/)
  })
})
