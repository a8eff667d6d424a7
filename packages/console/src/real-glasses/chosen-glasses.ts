import {
  BrilliantGlasses,
  rememberedGlasses,
  type WebBluetooth,
  type WebPeripheral,
} from '@glasses-cloud/phone/brilliant'
import type { Clock, GlassesAdapter } from '@glasses-cloud/phone/browser'
import { EvenG1, type G1Arms, nameOfPair, rememberedArms } from '@glasses-cloud/phone/even-g1'
import { api, unwrap } from '../api/client.ts'

/** Makers whose glasses differ in what they report and in what helps. */
export type GlassesKind = 'even-g1' | 'brilliant'

/** What the page uses of an adapter. */
export type RealAdapter = GlassesAdapter &
  Required<Pick<GlassesAdapter, 'setBrightness'>> & { diagnostics(): string }

/** What an adapter gets from the page. */
export interface RealAdapterOptions {
  readonly clock: Clock
  readonly onFirmware: (firmware: string) => void
}

/** Glasses that the wearer chose in this browser. */
export interface ChosenGlasses {
  readonly kind: GlassesKind
  /** For the wearer, such as `Even G1_12` or `Frame 4F`. */
  readonly name: string
  createAdapter(options: RealAdapterOptions): RealAdapter
}

export function chosenG1(arms: G1Arms): ChosenGlasses {
  return {
    kind: 'even-g1',
    name: nameOfPair(arms),
    createAdapter: (options) => new EvenG1({ ...arms, ...options }),
  }
}

export function chosenBrilliant(peripheral: WebPeripheral): ChosenGlasses {
  return {
    kind: 'brilliant',
    name: peripheral.name,
    createAdapter: ({ clock }) => new BrilliantGlasses({ peripheral, clock }),
  }
}

/** The glasses that were chosen earlier; empty in browsers that do not remember devices. */
export async function rememberedChoices(bluetooth: WebBluetooth): Promise<ChosenGlasses[]> {
  const pairs = await rememberedArms(bluetooth)
  const peripherals = await rememberedGlasses(bluetooth)
  return [...pairs.map(chosenG1), ...peripherals.map(chosenBrilliant)]
}

/** Brightness of a lens in percent, or as the glasses adjust it. */
export type Brightness = number | 'auto'

type Settings = Readonly<Record<string, unknown>>

/** The brightness among the settings of the user's phone; undefined if none was set. */
function readBrightness({ brightness, auto_brightness: isAutomatic }: Settings): Brightness | undefined {
  if (isAutomatic === true) return 'auto'
  return typeof brightness === 'number' ? brightness : undefined
}

/** The settings that store a brightness. The level remains while the glasses adjust it. */
export function brightnessSettings(brightness: Brightness): Settings {
  return brightness === 'auto' ? { auto_brightness: true } : { brightness, auto_brightness: false }
}

/** Loads the brightness that the user has set; undefined if there is none, or if it cannot be loaded. */
export async function loadBrightness(): Promise<Brightness | undefined> {
  const loaded = await unwrap(api.GET('/api/client/user/settings')).catch(() => undefined)
  return loaded && readBrightness(loaded.data.settings)
}
