import { DashboardMode, type HeadPosition } from '@mentra/sdk'
import { promptUser, type Step } from '../step.ts'

/** Content of an app on the shared dashboard; the corners are reserved for the system dashboard. */
export const dashboard: readonly Step[] = [
  {
    name: 'dashboard content',
    run: async ({ session }) => {
      const { content } = session.dashboard
      content.writeToMain('A line of the tour')
      content.writeToExpanded('More lines of the tour')
      const { position } = await promptUser<HeadPosition>(session, 'Look up', (resolve) =>
        session.events.onHeadPosition(resolve),
      )
      return `head ${position}`
    },
  },
  {
    name: 'dashboard mode',
    run: async ({ session }) => {
      const { content } = session.dashboard
      const before = await content.getCurrentMode()
      const mode = await promptUser<string>(session, 'Look up and double-tap', (resolve) =>
        content.onModeChange(resolve),
      )
      return `${before}, then ${mode}`
    },
  },
  {
    name: 'dashboard content removed',
    run: ({ session }) => {
      session.dashboard.content.write('', [DashboardMode.MAIN, DashboardMode.EXPANDED])
      return 'removed'
    },
  },
]
