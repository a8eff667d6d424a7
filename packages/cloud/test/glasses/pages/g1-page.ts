/** A page's script: an Even G1 behind `navigator.bluetooth`, and the adapter on it as `globalThis.g1`. */
import { EvenG1Model, FakeBluetooth } from '@glasses-cloud/device-models'
import { chooseArm, chooseOtherArm, EvenG1, type WebBluetooth } from '@glasses-cloud/phone/even-g1'

const clock = {
  now: () => Date.now(),
  setTimeout: (run: () => void, afterMs: number) => setTimeout(run, afterMs),
  clearTimeout: (timer: unknown) => clearTimeout(timer as number),
}
const model = new EvenG1Model(clock)
Object.defineProperty(navigator, 'bluetooth', { value: new FakeBluetooth(model.arms) })
const { bluetooth } = navigator as unknown as { bluetooth: WebBluetooth }

const links: string[] = []
const gestures: string[] = []
let audioBytes = 0

/** What the test calls. */
const g1 = {
  /** Chooses both arms and connects. */
  async connect() {
    const glasses = new EvenG1(await chooseOtherArm(bluetooth, await chooseArm(bluetooth)))
    await glasses.connect({
      link: ({ state }) => links.push(state),
      battery: () => {},
      gesture: ({ name, side }) => gestures.push(`${side} ${name}`),
      head: () => {},
      worn: () => {},
      audio: ({ length }) => {
        audioBytes += length
      },
      problem: () => {},
    })
    return glasses
  },
  model,
  /** What the test compares. */
  report: () => ({
    links,
    gestures,
    audioBytes,
    lenses: model.arms.map(({ lens }) => ({ kind: lens.kind, lines: lens.lines })),
    areLensesEqual: model.areLensesEqual,
    light: model.left.lens.pixels.reduce((sum, pixel) => sum + pixel, 0),
  }),
}
Object.assign(globalThis, { g1 })

export type G1Page = typeof g1
