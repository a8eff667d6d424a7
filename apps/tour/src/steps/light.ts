import type { AppSession } from '@mentra/sdk'
import { expect, heard, type Step } from '../step.ts'

interface LightAnswer {
  readonly success: boolean
  readonly error?: string
}

/** The light that others may see. The SDK does not wait for the glasses' answer; who wants it listens for it. */
export const light: readonly Step[] = [
  {
    name: 'light',
    run: async ({ session }) => {
      const { led } = session
      const [description] =
        session.capabilities?.light?.lights?.filter(({ isFullColor }) => isFullColor) ?? []
      expect(led.getCapabilities().length === 0, 'this version of the SDK names no lights')
      for (const command of [
        () => led.turnOn({ color: 'green', ontime: 200 }),
        () => led.blink('red', 100, 50, 3),
        () => led.solid('blue', 300),
        () => led.turnOff(),
      ]) {
        const { success, error } = await answered(session, command)
        expect(success, error ?? 'no light, without a reason')
      }
      return `${description?.id}: green, red, blue, off`
    },
  },
  {
    name: 'light that is missing',
    run: async ({ session }) => {
      // The wearer took care that it breaks.
      const { success, error } = await answered(session, () => session.led.solid('white', 100))
      expect(!success, 'the light that is missing shines')
      return error ?? 'without a reason'
    },
  },
]

function answered(session: AppSession, command: () => Promise<void>): Promise<LightAnswer> {
  const answer = heard<LightAnswer>('answer of the light', (hear) =>
    session.events.on('rgb_led_control_response', hear),
  )
  // The list of streams went out with the handler, before the command: both go the same way, in this order.
  return command().then(() => answer)
}
