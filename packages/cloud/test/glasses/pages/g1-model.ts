/** A page's script: a modelled Even G1 behind `navigator.bluetooth`, as `globalThis.g1Model`. */
import { EvenG1Model, FakeBluetooth } from '@glasses-cloud/device-models'

const model = new EvenG1Model({
  now: () => Date.now(),
  setTimeout: (run, afterMs) => setTimeout(run, afterMs),
  clearTimeout: (timer) => clearTimeout(timer as number),
})

/** What a test sets and reads. */
export const g1Model = {
  model,
  /** Whether the wearer closes the choosers. */
  closesChoosers: false,
  /** What each chooser has listed. */
  choosers: [] as (readonly string[])[],
  /** Lets the microphone hear LC3 frames, in Base64. */
  hear(frames: string) {
    model.right.microphone.frames = Uint8Array.from(atob(frames), (character) => character.charCodeAt(0))
  },
  /** What both lenses show. */
  report: () => ({
    lenses: model.arms.map(({ lens }) => ({ kind: lens.kind, lines: lens.lines })),
    areLensesEqual: model.areLensesEqual,
    light: model.left.lens.pixels.reduce((sum, pixel) => sum + pixel, 0),
    overflows: model.arms.map(({ lens }) => lens.overflows),
    brightness: model.arms.map(({ brightness }) => brightness),
    isHearing: model.right.microphone.isOn,
    isConnected: model.arms.map(({ isConnected }) => isConnected),
  }),
}

const bluetooth = new FakeBluetooth(model.arms, (names) => {
  g1Model.choosers.push(names)
  return g1Model.closesChoosers ? undefined : names[0]
})
Object.defineProperty(navigator, 'bluetooth', { value: bluetooth, configurable: true })
Object.assign(globalThis, { g1Model })

export type G1Report = ReturnType<typeof g1Model.report>
