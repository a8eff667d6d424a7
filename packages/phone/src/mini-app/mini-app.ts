import type { Clock } from '../clock.ts'
import type { Position } from '../phone-options.ts'
import type { PlaySound, Speak } from '../platform/platform.ts'
import { SignedInPhone } from '../sign-in/signed-in-phone.ts'
import { HOST, isRecord, type Payload, readGlasses } from './host.ts'
import { HostChannel } from './host-channel.ts'
import { MiniAppGlasses } from './mini-app-glasses.ts'

/** The name of the mini app at its host; the cloud's manifest has the same. */
const PACKAGE_NAME = 'dev.glassescloud.bridge'

/** What a mini app gets from its host beside the channel. */
interface MiniAppOptions {
  /** URL of the cloud. */
  readonly url: string
  /** Hands a text to the host. */
  readonly send: (text: string) => void
  /** Keeps the login between starts. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly clock?: Clock
}

/**
 * A phone of this cloud as a mini app of another phone app: signs in by a code on the lens, and wears the glasses that the
 * host has connected, also after others were connected.
 */
export class MiniApp {
  readonly #options: MiniAppOptions
  readonly #host: HostChannel
  #model: string | undefined
  #phone: SignedInPhone | undefined

  constructor(options: MiniAppOptions) {
    this.#options = options
    const events = {
      capabilities: (capabilities: unknown) => this.#wear(capabilities),
      closing: () => void this.#phone?.stop(),
    }
    this.#host = new HostChannel(options.send, events, options.clock)
  }

  /** Announces the mini app. @throws {Error} if the host does not answer */
  async start(): Promise<void> {
    this.#wear(await this.#host.connect(PACKAGE_NAME))
  }

  /** Takes a text of the host. */
  receive(text: string): void {
    this.#host.receive(text)
  }

  /** Wears other glasses than before; a loss of the same ones is reported by their connection. */
  #wear(capabilities: unknown): void {
    const glasses = readGlasses(capabilities)
    if (!glasses || glasses.modelName === this.#model) return
    this.#model = glasses.modelName
    const before = this.#phone
    const { url, storage, clock } = this.#options
    const key = `glasses-cloud ${url}`
    const phone = new SignedInPhone(new MiniAppGlasses(this.#host, glasses, clock), {
      url,
      clientName: `Mentra app (${glasses.modelName})`,
      storage: {
        load: async () => storage.getItem(key) ?? '',
        save: async (text) => storage.setItem(key, text),
      },
      locate: () => this.#locate(),
      ...soundsOf(this.#host),
      ...(clock && { clock }),
    })
    this.#phone = phone
    if (before) void before.stop().then(() => phone === this.#phone && phone.start())
    else phone.start()
  }

  async #locate(): Promise<Position | undefined> {
    const found = await this.#host.request({ type: HOST.LOCATION_POLL })
    if (!isRecord(found) || typeof found.lat !== 'number' || typeof found.lng !== 'number') return undefined
    const { lat, lng, accuracy } = found
    return { lat, lng, ...(typeof accuracy === 'number' && { accuracy }) }
  }
}

/** Plays sounds by the host, on the speaker that the wearer chose there. */
function soundsOf(host: HostChannel): { readonly playSound: PlaySound; readonly speak: Speak } {
  return {
    async playSound(audioUrl, { volume, signal, clock }) {
      const startedAt = clock.now()
      await playToEnd(host, { type: HOST.PLAY_AUDIO, audioUrl, volume, stopOtherAudio: false }, signal)
      return (clock.now() - startedAt) / 1000
    },
    // By the voice of the phone alone: the words of an app are not for the servers of the host's vendor.
    speak: (text, { volume, signal }) =>
      playToEnd(host, { type: HOST.SPEAK, text, volume, stopOtherAudio: false, forceLocal: true }, signal),
  }
}

async function playToEnd(host: HostChannel, request: Payload, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      host.post({ type: HOST.STOP_AUDIO })
      reject(signal.reason)
    })
  })
  await Promise.race([stopped, host.play(request)])
}
