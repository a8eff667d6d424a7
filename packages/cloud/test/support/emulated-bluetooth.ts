import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'

/** Nordic UART: service, the characteristic that is written, the characteristic that notifies. */
const [SERVICE, WRITE, NOTIFY] = [
  '6e400001-b5a3-f393-e0a9-e50e24dcca9e',
  '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
  '6e400003-b5a3-f393-e0a9-e50e24dcca9e',
]
/** The descriptor that turns notifications on. */
const CLIENT_CONFIGURATION = '00002902-0000-1000-8000-00805f9b34fb'
const SUCCESS = 0

/** Switches with which Chromium on Linux has Web Bluetooth. */
export const BLUETOOTH_ARGS = ['--enable-experimental-web-platform-features']

/** The commands and events of the DevTools protocol that playwright-core declares no types for. */
interface UntypedSession {
  send(method: string, params?: object): Promise<Record<string, string>>
  on(event: string, listener: (params: Record<string, string>) => void): void
}

/**
 * Chromium's emulation of Bluetooth: peripherals with Nordic UART nearby, real choosers, connections and operations.
 * It records what is written. It cannot send notifications: the DevTools protocol has no command for them.
 */
export class EmulatedBluetooth {
  /** Writes in hexadecimal, in order. */
  readonly writes: string[] = []
  /** Characteristics that the page subscribed to. */
  subscriptions = 0
  /** The number of devices that each chooser listed. */
  readonly lists: number[] = []
  readonly #browser: UntypedSession
  readonly #page: UntypedSession
  /** Answered choosers: a second answer ends Chromium. */
  readonly #answered = new Set<string>()

  private constructor(browser: CDPSession, page: CDPSession) {
    this.#browser = browser as unknown as UntypedSession
    this.#page = page as unknown as UntypedSession
  }

  static async start(browser: Browser, context: BrowserContext, page: Page): Promise<EmulatedBluetooth> {
    const emulation = new EmulatedBluetooth(
      await browser.newBrowserCDPSession(),
      await context.newCDPSession(page),
    )
    await emulation.#enable()
    return emulation
  }

  async #enable(): Promise<void> {
    const cdp = this.#browser
    await cdp.send('BluetoothEmulation.enable', { state: 'powered-on', leSupported: true })
    await this.#page.send('DeviceAccess.enable')
    cdp.on('BluetoothEmulation.gattOperationReceived', async ({ address = '', type }) => {
      if (type === 'discovery') await this.#addService(address)
      await cdp.send('BluetoothEmulation.simulateGATTOperationResponse', { address, type, code: SUCCESS })
    })
    cdp.on('BluetoothEmulation.characteristicOperationReceived', async ({ characteristicId, type, data }) => {
      if (data !== undefined) this.writes.push(Buffer.from(data, 'base64').toString('hex'))
      if (type === 'subscribe-to-notifications') this.subscriptions += 1
      const response = { characteristicId, type, code: SUCCESS }
      await cdp.send('BluetoothEmulation.simulateCharacteristicOperationResponse', response)
    })
  }

  async addPeripheral(address: string, name: string): Promise<void> {
    const peripheral = { address, name, manufacturerData: [], knownServiceUuids: [SERVICE] }
    await this.#browser.send('BluetoothEmulation.simulatePreconnectedPeripheral', peripheral)
  }

  /** Answers each chooser of the page with the device whose address it is given, one address per chooser. */
  answerChoosers(...addresses: string[]): void {
    this.#page.on('DeviceAccess.deviceRequestPrompted', (event) => {
      const { id, devices } = event as unknown as { id: string; devices: { id: string }[] }
      const [address] = addresses
      if (this.#answered.has(id) || !devices.some((device) => device.id === address)) return
      this.#answered.add(id)
      addresses.shift()
      this.lists.push(devices.length)
      void this.#page.send('DeviceAccess.selectPrompt', { id, deviceId: address })
    })
  }

  async disconnect(address: string): Promise<void> {
    await this.#browser.send('BluetoothEmulation.simulateGATTDisconnection', { address })
  }

  async #addService(address: string): Promise<void> {
    const { serviceId } = await this.#browser.send('BluetoothEmulation.addService', {
      address,
      serviceUuid: SERVICE,
    })
    await this.#addCharacteristic(serviceId, WRITE, { writeWithoutResponse: true, write: true })
    const notify = await this.#addCharacteristic(serviceId, NOTIFY, { notify: true })
    await this.#browser.send('BluetoothEmulation.addDescriptor', {
      characteristicId: notify,
      descriptorUuid: CLIENT_CONFIGURATION,
    })
  }

  async #addCharacteristic(
    serviceId: string | undefined,
    characteristicUuid: string | undefined,
    properties: object,
  ) {
    const added = await this.#browser.send('BluetoothEmulation.addCharacteristic', {
      serviceId,
      characteristicUuid,
      properties: {
        broadcast: false,
        read: false,
        writeWithoutResponse: false,
        write: false,
        notify: false,
        indicate: false,
        authenticatedSignedWrites: false,
        extendedProperties: false,
        ...properties,
      },
    })
    return added.characteristicId
  }
}
