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
