import type {
  Peripheral,
  PeripheralEvents,
  SerialService,
  WebBluetooth,
  WebCharacteristic,
  WebDevice,
  WebServer,
} from './peripheral.ts'

/** A peripheral over Web Bluetooth. Its GATT operations run one at a time: browsers reject parallel ones. */
export class WebPeripheral implements Peripheral {
  readonly name: string
  readonly #device: WebDevice
  readonly #service: SerialService
  #write: WebCharacteristic | undefined
  #operations: Promise<unknown> = Promise.resolve()
  /** Ends the present link: removes its listeners. */
  #release: () => void = () => {}

  constructor(device: WebDevice, service: SerialService) {
    this.name = device.name ?? ''
    this.#device = device
    this.#service = service
  }

  async connect(events: PeripheralEvents): Promise<void> {
    this.#release()
    const { gatt } = this.#device
    if (gatt === undefined) throw new Error('This device has no services that a page can use.')
    let isReleased = false
    const onDisconnected = () => {
      if (isReleased) return
      this.#release()
      events.disconnected()
    }
    const cleanUps = [() => this.#device.removeEventListener('gattserverdisconnected', onDisconnected)]
    this.#release = () => {
      isReleased = true
      this.#write = undefined
      this.#operations = Promise.resolve()
      for (const cleanUp of cleanUps.splice(0)) cleanUp()
    }
    try {
      const { notify, write } = await this.#open(gatt)
      if (isReleased) throw new Error('The connection attempt was canceled.')
      const onValue = () => {
        const { value } = notify
        if (!isReleased && value)
          events.notification(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice())
      }
      this.#device.addEventListener('gattserverdisconnected', onDisconnected)
      notify.addEventListener('characteristicvaluechanged', onValue)
      cleanUps.push(() => notify.removeEventListener('characteristicvaluechanged', onValue))
      await notify.startNotifications()
      if (isReleased || !gatt.connected) throw new Error('The link ended while it was set up.')
      this.#write = write
    } catch (error) {
      if (!isReleased) this.disconnect()
      throw error
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    const characteristic = this.#write
    if (characteristic === undefined) throw new Error('The device is not connected.')
    const value = bytes.slice()
    const operation = this.#operations.then(() => {
      if (this.#write !== characteristic) throw new Error('The link ended.')
      return characteristic.properties.writeWithoutResponse
        ? characteristic.writeValueWithoutResponse(value)
        : characteristic.writeValueWithResponse(value)
    })
    this.#operations = operation.catch(() => {})
    return operation
  }

  disconnect(): void {
    this.#release()
    this.#device.gatt?.disconnect()
  }

  async #open(gatt: WebServer): Promise<{ notify: WebCharacteristic; write: WebCharacteristic }> {
    const server = await gatt.connect()
    const service = await server.getPrimaryService(this.#service.service)
    const notify = await service.getCharacteristic(this.#service.notify)
    const write = await service.getCharacteristic(this.#service.write)
    return { notify, write }
  }
}

/**
 * Opens the browser's chooser; call it in the handler of a click.
 * @param namePrefixes lists the devices whose advertised name begins with one of them
 * @throws {DOMException} `NotFoundError` if the wearer closed the chooser
 */
export async function chooseDevice(
  bluetooth: WebBluetooth,
  service: SerialService,
  namePrefixes: readonly string[],
): Promise<WebPeripheral> {
  const device = await bluetooth.requestDevice({
    filters: namePrefixes.map((namePrefix) => ({ namePrefix })),
    optionalServices: [service.service],
  })
  return new WebPeripheral(device, service)
}

/** The devices that the wearer chose earlier, in browsers that remember them. */
export async function rememberedDevices(
  bluetooth: WebBluetooth,
  service: SerialService,
): Promise<WebPeripheral[]> {
  const devices = (await bluetooth.getDevices?.()) ?? []
  return devices.map((device) => new WebPeripheral(device, service))
}
