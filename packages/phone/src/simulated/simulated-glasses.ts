import type { AudioFormat } from '@glasses-cloud/contract'
import stringWidth from 'string-width'
import type {
  AdapterEvents,
  GlassesAdapter,
  Page,
  Screen,
  ServedPhone,
  Wifi,
} from '../adapter/glasses-adapter.ts'
import { DeviceRequests, type DeviceRequestsOptions } from './device-requests.ts'

/** Columns and lines of a simulated display. */
export interface DisplaySize {
  readonly width: number
  readonly height: number
}

/** 44 columns and 7 lines, roughly what a phone draws on a 640 × 480 display. */
export const DEFAULT_DISPLAY_SIZE: DisplaySize = { width: 44, height: 7 }

export interface SimulatedGlassesOptions {
  /** Undefined: the phone starts without glasses. */
  readonly model: string | undefined
  readonly wifi: Wifi | undefined
  readonly display: DisplaySize
  readonly audioFormat: AudioFormat | undefined
  readonly requests: DeviceRequestsOptions
}

/** Glasses without hardware: a display of columns and lines, whose wearer is a program. */
export class SimulatedGlasses implements GlassesAdapter {
  readonly audioFormat: AudioFormat | undefined
  /** The page that they show. */
  page: Page = { kind: 'blank' }
  #events: AdapterEvents | undefined
  #model: string | undefined
  #wifi: Wifi | undefined
  /** The model that was taken off last, for the report of that. */
  #lastModel = ''
  #size: DisplaySize
  #requests: DeviceRequests | undefined
  readonly #requestsOptions: DeviceRequestsOptions

  constructor({ model, wifi, display, audioFormat, requests }: SimulatedGlassesOptions) {
    this.#model = model
    this.#wifi = wifi
    this.#size = display
    this.audioFormat = audioFormat
    this.#requestsOptions = requests
  }

  /** The model that is worn; undefined without glasses. */
  get wornModel(): string | undefined {
    return this.#model
  }

  get model(): string {
    return this.#model ?? this.#lastModel
  }

  get wifi(): Wifi | undefined {
    return this.#wifi
  }

  /** Columns and lines. */
  get size(): DisplaySize {
    return this.#size
  }

  set size(size: DisplaySize) {
    this.#size = size
  }

  get screen(): Screen {
    const { width, height } = this.#size
    return { width, lines: height, measure: stringWidth }
  }

  /** Where the actions of the wearer are reported. @throws {Error} while the phone is not connected */
  get events(): AdapterEvents {
    if (!this.#events) throw new Error('The glasses are not connected')
    return this.#events
  }

  /** What serves the requests of the cloud. @throws {Error} before the glasses have a phone */
  get requests(): DeviceRequests {
    if (!this.#requests) throw new Error('The glasses have no phone')
    return this.#requests
  }

  serve(phone: ServedPhone): DeviceRequests {
    this.#requests = new DeviceRequests(this.#requestsOptions, phone)
    return this.#requests
  }

  async connect(events: AdapterEvents): Promise<void> {
    this.#events = events
    this.#reportLink()
  }

  async disconnect(): Promise<void> {
    this.#events = undefined
  }

  async show(page: Page): Promise<boolean> {
    this.page = page
    return true
  }

  /** Does nothing: a simulated wearer speaks when told to, and the phone knows whether that is sent. */
  setMicrophone(): void {}

  /** Connects glasses of another model to the phone. */
  putOn(model: string): void {
    this.#model = model
    this.#reportLink()
  }

  /** Disconnects the glasses from the phone. */
  takeOff(): void {
    this.#lastModel = this.#model ?? ''
    this.#model = undefined
    this.#reportLink()
  }

  /** Connects the glasses to a Wi-Fi network, or disconnects them from it. */
  setWifi(wifi: Wifi): void {
    this.#wifi = wifi
    this.#reportLink()
  }

  #reportLink(): void {
    this.#events?.link({ state: this.#model === undefined ? 'lost' : 'connected', parts: [] })
  }
}
