import { type Clock, delay } from '../../src/clock.ts'
import type {
  AppLocation,
  DeviceInfo,
  DeviceStatus,
  EvenBridge,
  EvenHubEvent,
  ImageUpdate,
  PageContainers,
  TextUpdate,
} from '../../src/even-hub/bridge.ts'

const MAX_TEXT_BYTES = 999

/** The maker's phone app with glasses, as far as its simulator shows how it behaves; records what a page asks for. */
export class FakeEvenBridge implements EvenBridge {
  /** Every call, as its name and what it is about. */
  readonly calls: string[] = []
  readonly stored = new Map<string, string>()
  /** How long a call takes. */
  delayMs = 5
  /** Calls that fail from now on; `hang` is never answered. */
  broken: 'no' | 'refuse' | 'throw' | 'hang' = 'no'
  /** Calls in progress, at most; the maker asks for one. */
  mostAtATime = 0
  isMicrophoneOn = false
  location: AppLocation | null = null
  info: DeviceInfo | null = { model: 'g2', sn: 'S1', status: { sn: 'S1', connectType: 'connected' } }
  #running = 0
  #page: PageContainers | undefined
  #texts = new Map<string, string>()
  #images = new Map<string, Uint8Array>()
  readonly #statusListeners = new Set<(status: DeviceStatus) => void>()
  readonly #eventListeners = new Set<(event: EvenHubEvent) => void>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The lines on the lens; undefined without a page, or with a picture. */
  get lines(): readonly string[] | undefined {
    if (!this.#page || this.#page.imageObject) return undefined
    return this.#page.textObject
      .flatMap(({ containerName }) => (this.#texts.get(containerName) ?? '').split('\n'))
      .filter((line) => line.trim() !== '')
  }

  /** The pixels of the picture on the lens, rows of 576; undefined without one. */
  get pixels(): Uint8Array | undefined {
    if (!this.#page?.imageObject) return undefined
    const pixels = new Uint8Array(576 * 288)
    for (const { containerName, xPosition, yPosition, width, height } of this.#page.imageObject) {
      const image = this.#images.get(containerName) ?? new Uint8Array(width * height)
      for (let y = 0; y < height; y++)
        pixels.set(image.subarray(y * width, (y + 1) * width), (yPosition + y) * 576 + xPosition)
    }
    return pixels
  }

  /** The page is gone, as after the wearer ended it. */
  closePage(): void {
    this.#page = undefined
  }

  emit(event: EvenHubEvent): void {
    for (const listener of this.#eventListeners) listener(event)
  }

  emitStatus(status: Partial<DeviceStatus>): void {
    for (const listener of this.#statusListeners) listener({ sn: 'S1', connectType: 'connected', ...status })
  }

  get listenerCount(): number {
    return this.#statusListeners.size + this.#eventListeners.size
  }

  createStartUpPageContainer(page: PageContainers): Promise<number> {
    return this.#answer('create', 1, () => (this.#page ? 1 : this.#setPage(page)))
  }

  rebuildPageContainer(page: PageContainers): Promise<boolean> {
    return this.#answer('rebuild', false, () => this.#page !== undefined && this.#setPage(page) === 0)
  }

  textContainerUpgrade({ containerName, content }: TextUpdate): Promise<boolean> {
    return this.#answer(`text ${containerName}`, false, () => {
      if (!this.#texts.has(containerName) || !isShortEnough(content)) return false
      this.#texts.set(containerName, content)
      return true
    })
  }

  updateImageRawData({ containerName, imageData }: ImageUpdate): Promise<string> {
    return this.#answer(`image ${containerName}`, 'sendFailed', () => {
      const container = this.#page?.imageObject?.find((image) => image.containerName === containerName)
      if (container?.width !== imageData.length / (container?.height ?? 0)) return 'imageSizeInvalid'
      this.#images.set(containerName, imageData)
      return 'success'
    })
  }

  audioControl(isOpen: boolean): Promise<boolean> {
    return this.#answer(`microphone ${isOpen ? 'on' : 'off'}`, false, () => {
      this.isMicrophoneOn = isOpen
      // The answer is false when it is turned off.
      return isOpen
    })
  }

  getDeviceInfo(): Promise<DeviceInfo | null> {
    return this.#answer('info', null, () => this.info)
  }

  setLocalStorage(key: string, value: string): Promise<boolean> {
    return this.#answer(`store ${key}`, false, () => {
      this.stored.set(key, value)
      return true
    })
  }

  getLocalStorage(key: string): Promise<string> {
    return this.#answer(`load ${key}`, '', () => this.stored.get(key) ?? '')
  }

  async getAppLocation(): Promise<AppLocation | null> {
    return this.location
  }

  onDeviceStatusChanged(listener: (status: DeviceStatus) => void): () => void {
    this.#statusListeners.add(listener)
    return () => this.#statusListeners.delete(listener)
  }

  onEvenHubEvent(listener: (event: EvenHubEvent) => void): () => void {
    this.#eventListeners.add(listener)
    return () => this.#eventListeners.delete(listener)
  }

  #setPage(page: PageContainers): number {
    const { textObject, imageObject = [], containerTotalNum } = page
    const isValid =
      textObject.length + imageObject.length === containerTotalNum &&
      textObject.filter(({ isEventCapture }) => isEventCapture === 1).length === 1 &&
      textObject.every(({ content }) => content !== '' && isShortEnough(content))
    if (!isValid) return 1
    this.#page = page
    this.#texts = new Map(textObject.map(({ containerName, content }) => [containerName, content]))
    this.#images = new Map()
    return 0
  }

  async #answer<Result>(call: string, refusal: Result, run: () => Result): Promise<Result> {
    this.calls.push(call)
    this.#running += 1
    this.mostAtATime = Math.max(this.mostAtATime, this.#running)
    try {
      await delay(this.#clock, this.delayMs)
      if (this.broken === 'hang') await new Promise(() => {})
      if (this.broken === 'throw') throw new Error('Flutter handler not available')
      return this.broken === 'refuse' ? refusal : run()
    } finally {
      this.#running -= 1
    }
  }
}

function isShortEnough(content: string): boolean {
  return new TextEncoder().encode(content).length <= MAX_TEXT_BYTES
}
