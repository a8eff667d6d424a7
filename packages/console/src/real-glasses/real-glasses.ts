import { closeFrames } from '@glasses-cloud/contract'
import { type Link, openSocket, Phone, playSound, readAloud } from '@glasses-cloud/phone/browser'
import { api, unwrap } from '../api/client.ts'
import { cloudUrl } from '../base-path.ts'
import { playableUrl } from '../own-url.ts'
import { type ChosenGlasses, loadBrightness, type RealAdapter } from './chosen-glasses.ts'
import { findLinkChanges } from './link-changes.ts'
import { locate } from './locate.ts'
import { NOT_WORN, type RealGlassesState } from './real-glasses-state.ts'
import { createWorkerClock } from './worker-clock.ts'

/** Losses and returns of parts that are shown. */
const MAX_CHANGES = 6

/** Real glasses that the signed-in user wears, with this browser as their phone. */
export class RealGlasses {
  readonly #clock = createWorkerClock()
  readonly #listeners = new Set<() => void>()
  #state: RealGlassesState = NOT_WORN
  #phone: Phone | undefined
  /** The glasses of the last connection, whose log stays after its end. */
  #glasses: RealAdapter | undefined
  #ending: Promise<void> = Promise.resolve()
  /** Counts the connections, so that what belongs to an ended one is recognized. */
  #connection = 0

  /** The current state; the same object until something changes. */
  readonly getState = (): RealGlassesState => this.#state

  /** Calls a listener after each change. Returns the function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Connects with the glasses, and with the cloud as the signed-in user; keeps reconnecting. */
  async putOn(chosen: ChosenGlasses): Promise<void> {
    if (this.#state.connection !== 'disconnected') return
    const connection = ++this.#connection
    this.#change({ ...NOT_WORN, connection: 'connecting', chosen })
    try {
      await this.#ending
      const [{ token }, brightness] = await Promise.all([
        unwrap(api.POST('/api/auth/glasses-token')),
        loadBrightness(),
      ])
      if (connection !== this.#connection) return
      this.#glasses = chosen.createAdapter({
        clock: this.#clock,
        onFirmware: (firmware) => this.#change({ firmware }),
      })
      this.#change({ screen: this.#glasses.screen })
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

  /** Turns to the next or previous page of a long text. */
  turnPage(direction: 'next' | 'previous'): void {
    if (direction === 'next') this.#phone?.nextPage()
    else this.#phone?.previousPage()
  }

  /** The log of the last connection, without content; undefined before the first one. */
  get diagnostics(): string | undefined {
    return this.#glasses?.diagnostics()
  }

  /** Ends the connections; what is known of the end stays. */
  #end(end: Partial<RealGlassesState>): void {
    const phone = this.#phone
    this.#connection += 1
    this.#phone = undefined
    this.#change({ ...NOT_WORN, chosen: this.#state.chosen, changes: this.#state.changes, ...end })
    this.#ending = phone?.disconnect() ?? Promise.resolve()
  }

  #createPhone(glasses: RealAdapter, token: string): Phone {
    const phone = new Phone(glasses, {
      url: cloudUrl(),
      token,
      tokenIn: 'query',
      credentials: 'cookie',
      respondBy: 'rest',
      locate,
      openSocket,
      playSound: (url, options) => playSound(playableUrl(url, options.requestId), options),
      ...(readAloud && { speak: readAloud }),
      clock: this.#clock,
    })
    this.#listen(phone)
    return phone
  }

  /** Shows what a phone reports until its connection is ended. */
  #listen(phone: Phone): void {
    const show = (change: Partial<RealGlassesState>) => {
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

  #describeLink(link: Link): Partial<RealGlassesState> {
    const at = Date.now()
    const changes = findLinkChanges(this.#state.link, link).map((change) => ({ at, ...change }))
    return {
      link,
      changes: [...changes, ...this.#state.changes].slice(0, MAX_CHANGES),
      // What was wrong with a part is mended.
      ...(link.state === 'connected' && { problem: undefined }),
    }
  }

  #change(change: Partial<RealGlassesState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}
