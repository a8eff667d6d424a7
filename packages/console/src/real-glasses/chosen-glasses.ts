import {
  BrilliantGlasses,
  rememberedGlasses,
  type WebBluetooth,
  type WebPeripheral,
} from '@glasses-cloud/phone/brilliant'
import type { Clock, GlassesAdapter } from '@glasses-cloud/phone/browser'
import { EvenG1, type G1Arms, nameOfPair, rememberedArms } from '@glasses-cloud/phone/even-g1'

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
