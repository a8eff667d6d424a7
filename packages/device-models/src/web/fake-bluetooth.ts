import type { ModelPeripheral } from '../peripheral.ts'

/** Nordic UART: service, the characteristic that is written, the characteristic that notifies. */
export const UART_UUIDS = [
  '6e400001-b5a3-f393-e0a9-e50e24dcca9e',
  '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
  '6e400003-b5a3-f393-e0a9-e50e24dcca9e',
] as const

interface DeviceRequest {
  readonly filters?: readonly { readonly namePrefix?: string }[]
  readonly optionalServices?: readonly string[]
}

/** Chooses one of the devices that a chooser would list; undefined cancels the chooser. */
export type Choose = (names: readonly string[]) => string | undefined

/**
 * Stands for `navigator.bluetooth`, with modelled peripherals behind it. Replace the browser's with
 * `Object.defineProperty(navigator, 'bluetooth', { value: new FakeBluetooth(peripherals, choose) })`.
 */
export class FakeBluetooth {
  readonly #devices: readonly FakeDevice[]
  readonly #choose: Choose
  readonly #permitted = new Set<FakeDevice>()

  constructor(peripherals: readonly ModelPeripheral[], choose: Choose = (names) => names[0]) {
    this.#devices = peripherals.map((peripheral) => new FakeDevice(peripheral))
    this.#choose = choose
  }

  async getAvailability(): Promise<boolean> {
    return true
  }

  /** The devices that were chosen before. */
  async getDevices(): Promise<FakeDevice[]> {
    return [...this.#permitted]
  }

  async requestDevice({ filters, optionalServices = [] }: DeviceRequest): Promise<FakeDevice> {
    if (!filters || filters.length === 0) throw new TypeError('filters is missing')
    const listed = this.#devices.filter(({ name }) =>
      filters.some(({ namePrefix }) => namePrefix !== undefined && name.startsWith(namePrefix)),
    )
    const chosen = this.#choose(listed.map(({ name }) => name))
    const device = listed.find(({ name }) => name === chosen)
    if (device === undefined)
      throw new DOMException('User cancelled the requestDevice() chooser.', 'NotFoundError')
    device.allow(optionalServices)
    this.#permitted.add(device)
    return device
  }
}

class FakeDevice extends EventTarget {
  readonly id: string
  readonly name: string
  readonly gatt: FakeServer
  readonly #services = new Set<string>()

  constructor(peripheral: ModelPeripheral) {
    super()
    this.id = `id of ${peripheral.name}`
    this.name = peripheral.name
    this.gatt = new FakeServer(peripheral, this)
  }

  allow(services: readonly string[]): void {
    for (const service of services) this.#services.add(service)
  }

  mayUse(service: string): boolean {
    return this.#services.has(service)
  }
}

class FakeServer {
  readonly #peripheral: ModelPeripheral
  readonly #device: FakeDevice
  #notifying: FakeCharacteristic | undefined
  #operations = 0
  connected = false

  constructor(peripheral: ModelPeripheral, device: FakeDevice) {
    this.#peripheral = peripheral
    this.#device = device
  }

  async connect(): Promise<this> {
    if (this.connected) return this
    await this.#peripheral
      .connect({
        notification: (bytes) => this.#notifying?.notify(bytes),
        disconnected: () => {
          this.connected = false
          this.#notifying = undefined
          this.#device.dispatchEvent(new Event('gattserverdisconnected'))
        },
      })
      .catch((error: Error) => {
        throw new DOMException(error.message, 'NetworkError')
      })
    this.connected = true
    return this
  }

  disconnect(): void {
    this.#peripheral.disconnect()
  }

  async getPrimaryService(
    uuid: string,
  ): Promise<{ getCharacteristic(uuid: string): Promise<FakeCharacteristic> }> {
    this.#assertConnected()
    if (!this.#device.mayUse(uuid))
      throw new DOMException('Origin is not allowed to access the service.', 'SecurityError')
    const [service, write, notify] = this.#peripheral.service ?? UART_UUIDS
    if (uuid !== service) throw new DOMException(`No Services matching UUID ${uuid} found.`, 'NotFoundError')
    return {
      getCharacteristic: async (characteristic) => {
        this.#assertConnected()
        if (characteristic === write || characteristic === notify) return new FakeCharacteristic(this)
        throw new DOMException('No such characteristic.', 'NotFoundError')
      },
    }
  }

  subscribe(characteristic: FakeCharacteristic): Promise<void> {
    return this.#operate(async () => {
      this.#notifying = characteristic
    })
  }

  write(value: Uint8Array): Promise<void> {
    return this.#operate(() => this.#peripheral.write(value))
  }

  /** A second operation at the same time fails, as it does in browsers. */
  async #operate(operation: () => Promise<void>): Promise<void> {
    this.#assertConnected()
    if (this.#operations > 0) throw new DOMException('GATT operation already in progress.', 'NetworkError')
    this.#operations += 1
    try {
      await operation()
    } catch (error) {
      throw error instanceof DOMException ? error : new DOMException(String(error), 'NetworkError')
    } finally {
      this.#operations -= 1
    }
  }

  #assertConnected(): void {
    if (!this.connected) throw new DOMException('GATT Server is disconnected.', 'NetworkError')
  }
}

class FakeCharacteristic extends EventTarget {
  readonly properties = { writeWithoutResponse: true, write: true, notify: true }
  readonly #server: FakeServer
  value: DataView | undefined

  constructor(server: FakeServer) {
    super()
    this.#server = server
  }

  async startNotifications(): Promise<this> {
    await this.#server.subscribe(this)
    return this
  }

  writeValueWithoutResponse(value: Uint8Array): Promise<void> {
    return this.#server.write(value.slice())
  }

  writeValueWithResponse(value: Uint8Array): Promise<void> {
    return this.#server.write(value.slice())
  }

  notify(bytes: Uint8Array): void {
    this.value = new DataView(bytes.slice().buffer)
    this.dispatchEvent(new Event('characteristicvaluechanged'))
  }
}
