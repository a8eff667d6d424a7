import type { AppSession } from '@mentra/sdk'
import { expect, type Step, waitForEvent } from '../step.ts'

interface LedResponse {
  readonly success: boolean
  readonly error?: string
}

/** The RGB LED. The SDK does not await the response of the glasses, so the step subscribes to it. */
export const led: readonly Step[] = [
  {
    name: 'LED',
    run: async ({ session }) => {
      const { led } = session
      const [description] =
        session.capabilities?.light?.lights?.filter(({ isFullColor }) => isFullColor) ?? []
      expect(led.getCapabilities().length === 0, 'getCapabilities lists LEDs now: update this step')
      for (const command of [
        () => led.turnOn({ color: 'green', ontime: 200 }),
        () => led.blink('red', 100, 50, 3),
        () => led.solid('blue', 300),
        () => led.turnOff(),
      ]) {
        const { success, error } = await sendCommand(session, command)
        expect(success, error ?? 'the LED failed without a reason')
      }
      return `${description?.id}: green, red, blue, off`
    },
  },
  {
    name: 'missing LED',
    run: async ({ session }) => {
      // The LED of the user fails.
      const { success, error } = await sendCommand(session, () => session.led.solid('white', 100))
      expect(!success, 'the LED did not fail')
      return error ?? 'no reason given'
    },
  },
]

function sendCommand(session: AppSession, command: () => Promise<void>): Promise<LedResponse> {
  const response = waitForEvent<LedResponse>('LED response', (resolve) =>
    session.events.on('rgb_led_control_response', resolve),
  )
  // The subscription is sent before the command, on the same connection.
  return command().then(() => response)
}
