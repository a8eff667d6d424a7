import { type Clock, systemClock } from '../clock.ts'
import type { EvenBridge, ImageUpdate, PageContainers, TextUpdate } from './bridge.ts'

/** A call can be lost on the way to the glasses; the maker's app then answers after half a minute or never. */
const CALL_LIMIT_MS = 10_000

/** Finding a position takes longer than a call, and does not involve the glasses. */
const LOCATION_LIMIT_MS = 15_000

/** Calls the bridge one call at a time, as the maker asks for, and does not wait for lost ones. */
export class SerialBridge implements EvenBridge {
  readonly #bridge: EvenBridge
  readonly #clock: Clock
  #last: Promise<unknown> = Promise.resolve()

  constructor(bridge: EvenBridge, clock: Clock = systemClock) {
    this.#bridge = bridge
    this.#clock = clock
  }

  createStartUpPageContainer(page: PageContainers): Promise<number> {
    return this.#call(() => this.#bridge.createStartUpPageContainer(page))
  }

  rebuildPageContainer(page: PageContainers): Promise<boolean> {
    return this.#call(() => this.#bridge.rebuildPageContainer(page))
  }

  textContainerUpgrade(update: TextUpdate): Promise<boolean> {
    return this.#call(() => this.#bridge.textContainerUpgrade(update))
  }

  updateImageRawData(update: ImageUpdate): Promise<string> {
    return this.#call(() => this.#bridge.updateImageRawData(update))
  }

  audioControl(isOpen: boolean): Promise<boolean> {
    return this.#call(() => this.#bridge.audioControl(isOpen))
  }

  getDeviceInfo(): ReturnType<EvenBridge['getDeviceInfo']> {
    return this.#call(() => this.#bridge.getDeviceInfo())
  }

  setLocalStorage(key: string, value: string): Promise<boolean> {
    return this.#call(() => this.#bridge.setLocalStorage(key, value))
  }

  getLocalStorage(key: string): Promise<string> {
    return this.#call(() => this.#bridge.getLocalStorage(key))
  }

  /** Not in line with the other calls: it takes seconds, and pages must not wait for it. */
  getAppLocation(): ReturnType<EvenBridge['getAppLocation']> {
    return this.#limit(this.#bridge.getAppLocation(), LOCATION_LIMIT_MS)
  }

  onDeviceStatusChanged(callback: Parameters<EvenBridge['onDeviceStatusChanged']>[0]): () => void {
    return this.#bridge.onDeviceStatusChanged(callback)
  }

  onEvenHubEvent(callback: Parameters<EvenBridge['onEvenHubEvent']>[0]): () => void {
    return this.#bridge.onEvenHubEvent(callback)
  }

  #call<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.#limit(run(), CALL_LIMIT_MS))
    this.#last = result.catch(() => {})
    return result
  }

  #limit<Result>(result: Promise<Result>, limitMs: number): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.setTimeout(
        () => reject(new Error(`The Even app did not answer within ${limitMs / 1000} s.`)),
        limitMs,
      )
      result.then(resolve, reject).finally(() => this.#clock.clearTimeout(timer))
    })
  }
}
