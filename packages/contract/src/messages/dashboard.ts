import { Type } from 'typebox'
import { defineAppMessage, defineCloudMessage, packageName } from './define-message.ts'

const content = Type.String({ maxLength: 2_000, description: 'Empty to remove the content' })
const mode = Type.Union([Type.Literal('main'), Type.Literal('expanded')])

/** Dashboard messages from apps (app-socket.md §2.1.2). */
export const dashboardFromApps = {
  dashboard_content_update: defineAppMessage(
    'dashboard_content_update',
    'Sets the content of the app on the dashboard.',
    {
      packageName,
      content,
      modes: Type.Optional(Type.Array(mode, { maxItems: 10, description: 'Default: main' })),
    },
  ),
  dashboard_mode_change: defineAppMessage(
    'dashboard_mode_change',
    'Switches the mode. Reserved for the system dashboard.',
    {
      packageName,
      mode,
    },
  ),
  dashboard_system_update: defineAppMessage(
    'dashboard_system_update',
    'Sets a corner of the dashboard. Reserved for the system dashboard.',
    {
      packageName,
      section: Type.Union([
        Type.Literal('topLeft'),
        Type.Literal('topRight'),
        Type.Literal('bottomLeft'),
        Type.Literal('bottomRight'),
      ]),
      content,
    },
  ),
} as const

/** Dashboard messages to apps (app-socket.md §2.2). */
export const dashboardToApps = {
  dashboard_mode_changed: defineCloudMessage('dashboard_mode_changed', 'The mode of the dashboard changed.', {
    mode,
    sessionId: Type.String({ description: 'The app session' }),
  }),
} as const
