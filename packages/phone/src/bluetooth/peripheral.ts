/**
 * A Bluetooth peripheral with one service: one characteristic to write, one that notifies. Adapters of glasses are
 * written on it, so that only the transport differs between a browser, a native shell and a test.
 */
export interface Peripheral {
  /** The advertised name. */
  readonly name: string
  /**
   * Connects and subscribes to notifications. May be called again after the link ended.
   * @throws {Error} if the peripheral cannot be reached
   */
  connect(events: PeripheralEvents): Promise<void>
  /** Writes a value, after all earlier ones. @throws {Error} if the system could not send it */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the link or an attempt to connect. */
  disconnect(): void
}

/** What a peripheral reports while it is connected. */
export interface PeripheralEvents {
  notification(bytes: Uint8Array): void
  /** The link ended, whoever ended it. */
  disconnected(): void
}

/** The service that a peripheral is used through, as lower-case UUIDs. */
export interface SerialService {
  readonly service: string
  readonly write: string
  readonly notify: string
}

/** The parts of Web Bluetooth that this package uses; `navigator.bluetooth` of a browser fits. */
export interface WebBluetooth {
  requestDevice(options: {
    readonly filters: { readonly namePrefix: string }[]
    readonly optionalServices: string[]
  }): Promise<WebDevice>
  /** Missing in browsers that do not remember devices. */
  getDevices?(): Promise<WebDevice[]>
  /** Whether the device has Bluetooth, and it is switched on. */
  getAvailability?(): Promise<boolean>
}

/** A device that the wearer chose. */
export interface WebDevice extends EventSource {
  readonly name?: string | undefined
  readonly gatt?: WebServer | undefined
}

export interface WebServer {
  readonly connected: boolean
  connect(): Promise<WebServer>
  disconnect(): void
  getPrimaryService(uuid: string): Promise<WebService>
}

interface WebService {
  getCharacteristic(uuid: string): Promise<WebCharacteristic>
}

export interface WebCharacteristic extends EventSource {
  readonly value?: DataView | undefined
  readonly properties: { readonly writeWithoutResponse: boolean }
  startNotifications(): Promise<unknown>
  writeValueWithoutResponse(value: Uint8Array<ArrayBuffer>): Promise<void>
  writeValueWithResponse(value: Uint8Array<ArrayBuffer>): Promise<void>
}

interface EventSource {
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
}
