import { AnimationUtils, BitmapUtils, ViewType } from '@mentra/sdk'
import { createG1Toolkit } from '@mentra/sdk/display-utils'
import { stripes } from '../picture.ts'
import { expect, type Step } from '../step.ts'

const FRAME_MS = 400

/** What an app can put on the lens. */
export const screens: readonly Step[] = [
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
      session.layouts.showReferenceCard('A title', 'and what belongs to it')
      return 'shown'
    },
  },
  {
    name: 'dashboard card',
    run: ({ session }) => {
      // By default a dashboard card is for the view "dashboard", which shows while the head is up.
      session.layouts.showDashboardCard('12:00', '21 °C', { view: ViewType.MAIN })
      return 'shown'
    },
  },
  {
    name: 'text for a moment',
    run: ({ session }) => {
      session.layouts.showTextWall('Gone in half a second', { durationMs: 500 })
      return 'shown for half a second'
    },
  },
  {
    name: 'wrapped text',
    run: ({ session }) => {
      const { wrapper, measurer } = createG1Toolkit()
      const text = 'The kit measures each letter of these glasses, so that an app knows where a line ends.'
      const { lines } = wrapper.wrap(text)
      session.layouts.showTextWall(lines.join('\n'))
      return `${lines.length} lines, the first of them ${measurer.measureText(lines[0] ?? '')} pixels wide`
    },
  },
  {
    name: 'picture',
    run: async ({ session }) => {
      const picture = await stripes(32)
      const { isValid, errors } = BitmapUtils.validateBase64Bitmap(picture)
      expect(isValid, errors.join(', '))
      await session.layouts.showBitmapView(picture)
      return 'shown'
    },
  },
  {
    name: 'pictures in turn',
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
    name: 'animation',
    run: async ({ session }) => {
      const frames = [await stripes(8), await stripes(48)]
      // All frames go to the cloud at once, which shows one after the other.
      const animation = session.layouts.showBitmapAnimation(frames, FRAME_MS, true)
      await AnimationUtils.delay(4 * FRAME_MS)
      animation.stop()
      return 'played, then stopped'
    },
  },
]
