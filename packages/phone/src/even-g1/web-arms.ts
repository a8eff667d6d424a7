import type { SerialService, WebBluetooth } from '../bluetooth/peripheral.ts'
import { chooseDevice, rememberedDevices, type WebPeripheral } from '../bluetooth/web-peripheral.ts'

/** Nordic UART, which both arms offer (EvenDemoApp, section 3 of its notes on the connection). */
const UART: SerialService = {
  service: '6e400001-b5a3-f393-e0a9-e50e24dcca9e',
  write: '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
  notify: '6e400003-b5a3-f393-e0a9-e50e24dcca9e',
}

/** Beginnings of the names of arms (EvenDemoApp: `Even G1_12_L_…`; its comments also name `G1_12_L_…`). */
const NAME_PREFIXES = ['Even G1_', 'G1_']

/** Both arms of one pair of glasses. */
export interface G1Arms {
  readonly left: WebPeripheral
  readonly right: WebPeripheral
}

/** Lets the wearer choose one arm, either of them, in the browser's chooser. */
export function chooseArm(bluetooth: WebBluetooth): Promise<WebPeripheral> {
  return chooseDevice(bluetooth, UART, NAME_PREFIXES)
}

/**
 * Lets the wearer choose the other arm of the same pair: the chooser lists no other device.
 * @throws {Error} if `first` is not an arm of these glasses
 */
export async function chooseOtherArm(bluetooth: WebBluetooth, first: WebPeripheral): Promise<G1Arms> {
  const parsed = parseName(first.name)
  if (parsed === undefined) throw new Error(`${first.name || 'This device'} is not an arm of an Even G1.`)
  const otherSide = parsed.side === 'L' ? 'R' : 'L'
  const other = await chooseDevice(bluetooth, UART, [`${parsed.pair}_${otherSide}_`])
  return parsed.side === 'L' ? { left: first, right: other } : { left: other, right: first }
}

/** The pairs that the wearer chose earlier; empty in browsers that do not remember devices. */
export async function rememberedArms(bluetooth: WebBluetooth): Promise<G1Arms[]> {
  const arms = (await rememberedDevices(bluetooth, UART)).flatMap((peripheral) => {
    const parsed = parseName(peripheral.name)
    return parsed === undefined ? [] : [{ ...parsed, peripheral }]
  })
  return arms
    .filter(({ side }) => side === 'L')
    .flatMap((left) => {
      const right = arms.find(({ side, pair }) => side === 'R' && pair === left.pair)
      return right === undefined ? [] : [{ left: left.peripheral, right: right.peripheral }]
    })
}

/** The name that both arms of a pair share, for instance `Even G1_12`. */
export function nameOfPair({ left }: G1Arms): string {
  return parseName(left.name)?.pair ?? left.name
}

/** The name without side and serial number, which both arms share, and the side. */
function parseName(name: string): { readonly pair: string; readonly side: string } | undefined {
  const [, pair, side] = /^((?:Even )?G1_\d+)_([LR])_/.exec(name) ?? []
  return pair === undefined || side === undefined ? undefined : { pair, side }
}
