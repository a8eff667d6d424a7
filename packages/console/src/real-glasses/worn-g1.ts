import { closeFrames } from '@glasses-cloud/contract'
import { type Link, openSocket, Phone, playSound } from '@glasses-cloud/phone/browser'
import { EvenG1, type G1Arms } from '@glasses-cloud/phone/even-g1'
import { api, unwrap } from '../api/client.ts'
import { playableUrl } from '../own-url.ts'
import { findLinkChanges } from './link-changes.ts'
import { locate } from './locate.ts'
import { loadBrightness } from './stored-brightness.ts'
import { createWorkerClock } from './worker-clock.ts'
import { NOT_WORN, type WornG1State } from './worn-g1-state.ts'

/** Losses and returns of arms that are shown. */
const MAX_CHANGES = 6

/** An Even G1 that the signed-in user wears, with this browser as its phone. */
export class WornG1 {
  readonly #clock = createWorkerClock()
  readonly #listeners = new Set<() => void>()
  #state: WornG1State = NOT_WORN
  #phone: Phone | undefined
  /** The glasses of the last connection, whose log stays after its end. */
  #glasses: EvenG1 | undefined
  #ending: Promise<void> = Promise.resolve()
  /** Counts the connections, so that what belongs to an ended one is recognized. */
  #connection = 0

  /** The current state; the same object until something changes. */
  readonly getState = (): WornG1State => this.#state

  /** Calls a listener after each change. Returns the function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Connects with both arms, and with the cloud as the signed-in user; keeps reconnecting. */
  async putOn(arms: G1Arms): Promise<void> {
    if (this.#state.connection !== 'disconnected') return
    const connection = ++this.#connection
    this.#change({ ...NOT_WORN, connection: 'connecting', arms })
    try {
      await this.#ending
      const [{ token }, brightness] = await Promise.all([
        unwrap(api.POST('/api/auth/glasses-token')),
        loadBrightness(),
      ])
      if (connection !== this.#connection) return
      this.#glasses = new EvenG1({
        ...arms,
        clock: this.#clock,
        onFirmware: (firmware) => this.#change({ firmware }),
      })
      this.#phone = this.#createPhone(this.#glasses, token)
      await this.#phone.connect()
      if (connection === this.#connection && brightness !== undefined) this.setBrightness(brightness)
    } catch (error) {
      if (connection !== this.#connection) return
      this.#end({
        problem: error instanceof Error ? error.message : String(error),
        isPairingSuspect: this.#phone !== undefined && this.#state.changes.length === 0,
      })
    }
  }

  takeOff(): void {
    this.#end({})
  }

  /** Sets the brightness of the lens in percent, or `auto`. */
  setBrightness(brightness: number | 'auto'): void {
    this.#glasses?.setBrightness(brightness)
    this.#change({ brightness })
  }

  /** The log of the last connection, without content; undefined before the first one. */
  get diagnostics(): string | undefined {
    return this.#glasses?.diagnostics()
  }

  /** Ends the connections; what is known of the end stays. */
  #end(end: Partial<WornG1State>): void {
    const phone = this.#phone
    this.#connection += 1
    this.#phone = undefined
    this.#change({ ...NOT_WORN, arms: this.#state.arms, changes: this.#state.changes, ...end })
    this.#ending = phone?.disconnect() ?? Promise.resolve()
  }

  #createPhone(glasses: EvenG1, token: string): Phone {
    const phone = new Phone(glasses, {
      url: window.location.origin,
      token,
      tokenIn: 'query',
      credentials: 'cookie',
      respondBy: 'rest',
      locate,
      openSocket,
      playSound: (url, options) => playSound(playableUrl(url, options.requestId), options),
      clock: this.#clock,
    })
    this.#listen(phone)
    return phone
  }

  /** Shows what a phone reports until its connection is ended. */
  #listen(phone: Phone): void {
    const show = (change: Partial<WornG1State>) => {
      if (this.#phone === phone) this.#change(change)
    }
    phone.on('ack', () => show({ connection: 'connected', problem: undefined }))
    phone.on('link', (link) => show(this.#describeLink(link)))
    phone.on('battery', ({ level }) => show({ battery: level }))
    phone.on('worn', (isOnHead) => show({ isOnHead }))
    phone.on('page', (page) => show({ page }))
    phone.on('microphone', ({ requiredData }) => show({ requiredData }))
    phone.on('error', ({ message }) => show({ problem: message }))
    phone.on('close', ({ willReconnect, reason, code }) => {
      if (this.#phone !== phone) return
      if (willReconnect) this.#change({ connection: 'reconnecting', requiredData: [] })
      else if (code === closeFrames.GLASSES_REPLACED.code) this.#end({ wasReplaced: true })
      else this.#end({ problem: reason || `Close code ${code}` })
    })
  }

  #describeLink(link: Link): Partial<WornG1State> {
    const at = Date.now()
    const changes = findLinkChanges(this.#state.link, link).map((change) => ({ at, ...change }))
    return {
      link,
      changes: [...changes, ...this.#state.changes].slice(0, MAX_CHANGES),
      // What was wrong with an arm is mended.
      ...(link.state === 'connected' && { problem: undefined }),
    }
  }

  #change(change: Partial<WornG1State>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}
