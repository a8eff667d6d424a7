import { DashboardMode, type HeadPosition } from '@mentra/sdk'
import { type Step, wearerDoes } from '../step.ts'

/** What an app can put on the dashboard, which it shares with all others. Its corners are the system dashboard's. */
export const dashboard: readonly Step[] = [
  {
    name: 'dashboard content',
    run: async ({ session }) => {
      const { content } = session.dashboard
      content.writeToMain('A line of the tour')
      content.writeToExpanded('All that the tour has to say')
      const { position } = await wearerDoes<HeadPosition>(session, 'Look up', (hear) =>
        session.events.onHeadPosition(hear),
      )
      return `seen with the head ${position}`
    },
  },
  {
    name: 'dashboard mode',
    run: async ({ session }) => {
      const { content } = session.dashboard
      const before = await content.getCurrentMode()
      const mode = await wearerDoes<string>(session, 'Look up and tap twice', (hear) =>
        content.onModeChange(hear),
      )
      return `${before}, then ${mode}`
    },
  },
  {
    name: 'dashboard without the tour',
    run: ({ session }) => {
      session.dashboard.content.write('', [DashboardMode.MAIN, DashboardMode.EXPANDED])
      return 'taken back'
    },
  },
]
