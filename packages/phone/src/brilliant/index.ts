import type { SerialService, WebBluetooth } from '../bluetooth/peripheral.ts'
import { chooseDevice, rememberedDevices, type WebPeripheral } from '../bluetooth/web-peripheral.ts'
import { findDevice, NAME_PREFIXES } from './devices.ts'

export type { Peripheral, PeripheralEvents, WebBluetooth } from '../bluetooth/peripheral.ts'
export type { WebPeripheral } from '../bluetooth/web-peripheral.ts'
export { BrilliantGlasses, type BrilliantGlassesOptions } from './brilliant-glasses.ts'

/** The Lua console of Frame and Halo (Brilliant docs, "Bluetooth Service & Characteristics"). */
const CONSOLE: SerialService = {
  service: '7a230001-5475-a6a4-654c-8431f6ad49c4',
  write: '7a230002-5475-a6a4-654c-8431f6ad49c4',
  notify: '7a230003-5475-a6a4-654c-8431f6ad49c4',
}

/** Lets the wearer choose a Frame or a Halo in the browser's chooser. */
export function chooseGlasses(bluetooth: WebBluetooth): Promise<WebPeripheral> {
  return chooseDevice(bluetooth, CONSOLE, NAME_PREFIXES)
}

/** The glasses that the wearer chose earlier; empty in browsers that do not remember devices. */
export async function rememberedGlasses(bluetooth: WebBluetooth): Promise<WebPeripheral[]> {
  const devices = await rememberedDevices(bluetooth, CONSOLE)
  return devices.filter(({ name }) => findDevice(name) !== undefined)
}
