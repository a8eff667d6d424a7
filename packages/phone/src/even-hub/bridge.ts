/**
 * The functions of the maker's phone app that the adapter uses. The bridge of `@evenrealities/even_hub_sdk` has
 * them; a page gives it to the adapter, tests give their own.
 */
export interface EvenBridge {
  /** Makes the first page on the glasses; 0 means success. Fails while there is one. */
  createStartUpPageContainer(page: PageContainers): Promise<number>
  /** Replaces the page on the glasses. Fails while there is none. */
  rebuildPageContainer(page: PageContainers): Promise<boolean>
  /** Replaces the text of a container, at most 999 bytes. */
  textContainerUpgrade(update: TextUpdate): Promise<boolean>
  /** Fills an image container; `success` if the glasses have taken it. */
  updateImageRawData(update: ImageUpdate): Promise<string>
  audioControl(isOpen: boolean): Promise<boolean>
  getDeviceInfo(): Promise<DeviceInfo | null>
  /** Stores a value in the maker's app, which keeps it longer than a browser. */
  setLocalStorage(key: string, value: string): Promise<boolean>
  /** An empty text if there is no such value. */
  getLocalStorage(key: string): Promise<string>
  getAppLocation(): Promise<AppLocation | null>
  onDeviceStatusChanged(callback: (status: DeviceStatus) => void): () => void
  onEvenHubEvent(callback: (event: EvenHubEvent) => void): () => void
}

/** The containers of a page: at most 8 of text and 4 of images, one of which gets the gestures. */
export interface PageContainers {
  readonly containerTotalNum: number
  readonly textObject: readonly TextContainer[]
  readonly imageObject?: readonly ImageContainer[]
}

/** Position, size and names of a container, in pixels from the top left. */
export interface ImageContainer {
  readonly xPosition: number
  readonly yPosition: number
  readonly width: number
  readonly height: number
  readonly containerID: number
  readonly containerName: string
}

export interface TextContainer extends ImageContainer {
  readonly paddingLength: number
  readonly borderWidth: number
  /** 1 for the container that gets the gestures. */
  readonly isEventCapture: number
  readonly content: string
}

export interface TextUpdate {
  readonly containerID: number
  readonly containerName: string
  /** Both 0: the whole text is replaced. */
  readonly contentOffset: number
  readonly contentLength: number
  readonly content: string
}

export interface ImageUpdate {
  readonly containerID: number
  readonly containerName: string
  /** One byte of grey per pixel. */
  readonly imageData: Uint8Array
}

export interface DeviceInfo {
  /** `g1`, `g2` or `ring1`. */
  readonly model: string
  readonly sn: string
  readonly status: DeviceStatus
}

export interface DeviceStatus {
  readonly sn: string
  /** `none`, `connecting`, `connected`, `disconnected` or `connectionFailed`. */
  readonly connectType: string
  readonly isWearing?: boolean
  /** Percent. */
  readonly batteryLevel?: number
  readonly isCharging?: boolean
}

export interface AppLocation {
  readonly latitude: number
  readonly longitude: number
  /** In meters. */
  readonly accuracy?: number
}

/** An event of the glasses; one of the first three is set. */
export interface EvenHubEvent {
  readonly audioEvent?: { readonly audioPcm: Uint8Array }
  readonly sysEvent?: TouchEvent
  readonly textEvent?: TouchEvent
  /** The event as the maker's app sent it. */
  readonly jsonData?: Readonly<Record<string, unknown>>
}

interface TouchEvent {
  /** Missing for a click, and for events that the SDK does not know. */
  readonly eventType?: number
  /** 1: right temple, 2: ring, 3: left temple. */
  readonly eventSource?: number
}
