/** A page's script: a button that chooses both arms over the browser's own Web Bluetooth, and connects the left one. */
import { chooseArm, chooseOtherArm, type WebBluetooth } from '@glasses-cloud/phone/even-g1'

const { bluetooth } = navigator as unknown as { bluetooth: WebBluetooth }

/** What happened, in order. */
const steps: string[] = []

const g1 = {
  steps,
  /** Must be called by a click: a chooser needs one. */
  async chooseFirst() {
    const first = await chooseArm(bluetooth)
    steps.push(`first ${first.name}`)
    Object.assign(g1, { chooseSecond: () => chooseSecond(first) })
  },
}

async function chooseSecond(first: Awaited<ReturnType<typeof chooseArm>>): Promise<void> {
  const { left, right } = await chooseOtherArm(bluetooth, first)
  steps.push(`left ${left.name}, right ${right.name}`)
  await left.connect({ notification: () => {}, disconnected: () => steps.push('disconnected') })
  await Promise.all([left.write(Uint8Array.of(0x4d, 0x01)), left.write(Uint8Array.of(0x2c, 0x01))])
  steps.push('written')
}
Object.assign(globalThis, { g1 })
