import { AnimationUtils, BitmapUtils, type ButtonPress, ViewType } from '@mentra/sdk'
import { createG1Toolkit } from '@mentra/sdk/display-utils'
import { stripes } from '../bitmap.ts'
import { expect, type Step, waitForEvent } from '../step.ts'

const FRAME_MS = 400

/** Layouts of the display. */
export const layouts: readonly Step[] = [
  {
    name: 'text wall',
    run: ({ session }) => {
      session.layouts.showTextWall('A wall of text')
      return 'shown'
    },
  },
  {
    name: 'double text wall',
    run: ({ session }) => {
      session.layouts.showDoubleTextWall('On the left', 'On the right')
      return 'shown'
    },
  },
  {
    name: 'reference card',
    run: ({ session }) => {
      session.layouts.showReferenceCard('A title', 'and a text')
      return 'shown'
    },
  },
  {
    name: 'dashboard card',
    run: ({ session }) => {
      // The default view of a dashboard card is the dashboard, which is visible only while the head is up.
      session.layouts.showDashboardCard('12:00', '21 °C', { view: ViewType.MAIN })
      return 'shown'
    },
  },
  {
    name: 'text with a duration',
    run: ({ session }) => {
      session.layouts.showTextWall('Gone in half a second', { durationMs: 500 })
      return 'shown for half a second'
    },
  },
  {
    name: 'wrapped text',
    run: ({ session }) => {
      const { wrapper, measurer } = createG1Toolkit()
      const text =
        'The SDK knows the width of each letter on these glasses, so an app knows where a line ends.'
      const { lines } = wrapper.wrap(text)
      session.layouts.showTextWall(lines.join('\n'))
      return `${lines.length} lines, the first ${measurer.measureText(lines[0] ?? '')} pixels wide`
    },
  },
  {
    name: 'bitmap',
    run: async ({ session }) => {
      const picture = await stripes(32)
      const { isValid, errors } = BitmapUtils.validateBase64Bitmap(picture)
      expect(isValid, errors.join(', '))
      await session.layouts.showBitmapView(picture)
      return 'shown'
    },
  },
  {
    name: 'bitmap sequence',
    run: async ({ session }) => {
      const frames = [await stripes(16), await stripes(64)]
      await AnimationUtils.createBitmapSequence(
        session,
        frames.map((frame) => ({ frame, duration: FRAME_MS })),
      )
      return `${frames.length} shown`
    },
  },
  {
    name: 'clear',
    run: ({ session }) => {
      session.layouts.clearView()
      return 'cleared'
    },
  },
  {
    name: 'bitmap animation',
    run: async ({ session }) => {
      const frames = [await stripes(8), await stripes(48)]
      const pressed = waitForEvent<ButtonPress>('press that ends the animation', (resolve) =>
        session.events.onButtonPress((press) => void (press.buttonId === 'next' && resolve(press))),
      )
      // The SDK sends all frames in one message; the cloud shows them one after the other.
      const animation = session.layouts.showBitmapAnimation(frames, FRAME_MS, true)
      await pressed
      animation.stop()
      return 'played, then stopped'
    },
  },
]
