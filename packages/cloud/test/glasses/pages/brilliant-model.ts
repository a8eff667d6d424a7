/** A page's script: a modelled Frame or Halo behind `navigator.bluetooth`, as `globalThis.brilliantModel`. */
import { EvenG1Model, FakeBluetooth } from '@glasses-cloud/device-models'
import { BrilliantModel } from '@glasses-cloud/device-models/brilliant'

const clock = {
  now: () => Date.now(),
  setTimeout: (run: () => void, afterMs: number) => setTimeout(run, afterMs),
  clearTimeout: (timer: unknown) => clearTimeout(timer as number),
}
const models = { Frame: new BrilliantModel(clock, 'Frame'), Halo: new BrilliantModel(clock, 'Halo') }

/** What a test sets and reads. */
export const brilliantModel = {
  models,
  /** The glasses that the wearer chooses; undefined closes the chooser. */
  wanted: 'Frame' as 'Frame' | 'Halo' | undefined,
  /** What each chooser has listed. */
  choosers: [] as (readonly string[])[],
  /** What the glasses show and do. */
  report: (kind: 'Frame' | 'Halo') => {
    const { lens, brightness, isConnected, isRunning, microphone } = models[kind]
    return {
      lines: lens.lines,
      light: lens.pixels.reduce((sum, pixel) => sum + pixel, 0),
      overflows: lens.overflows,
      brightness,
      isConnected,
      isRunning,
      isHearing: microphone.isOn,
    }
  },
}

// Glasses of another maker, which the chooser must not list.
const peripherals = [...new EvenG1Model(clock).arms, models.Frame, models.Halo]
const bluetooth = new FakeBluetooth(peripherals, (names) => {
  brilliantModel.choosers.push(names)
  return names.find((name) => name.startsWith(`${brilliantModel.wanted} `))
})
Object.defineProperty(navigator, 'bluetooth', { value: bluetooth, configurable: true })
Object.assign(globalThis, { brilliantModel })

export type BrilliantReport = ReturnType<typeof brilliantModel.report>
