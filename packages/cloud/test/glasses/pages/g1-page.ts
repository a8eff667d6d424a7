/** A page's script: an Even G1 behind `navigator.bluetooth`, and the adapter on it as `globalThis.g1`. */
import { chooseArm, chooseOtherArm, EvenG1, type WebBluetooth } from '@glasses-cloud/phone/even-g1'
import { g1Model } from './g1-model.ts'

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
  model: g1Model.model,
  /** What the test compares. */
  report: () => ({ links, gestures, audioBytes, ...g1Model.report() }),
}
Object.assign(globalThis, { g1 })

export type G1Page = typeof g1
