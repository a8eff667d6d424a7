import { Type } from 'typebox'
import { defineClientMessage, defineCloudMessage, packageName } from './define-message.ts'

const content = Type.String({ maxLength: 2_000, description: 'Empty: nothing any more' })
const mode = Type.Union([Type.Literal('main'), Type.Literal('expanded')])

/** What apps say about the dashboard (app socket protocol, 2.1.2). */
export const dashboardFromApps = {
  dashboard_content_update: defineClientMessage(
    'dashboard_content_update',
    'What the app shows on the dashboard.',
    {
      packageName,
      content,
      modes: Type.Optional(Type.Array(mode, { maxItems: 10, description: 'Default: main' })),
    },
  ),
  dashboard_mode_change: defineClientMessage(
    'dashboard_mode_change',
    'Switches the mode; the system dashboard alone may.',
    {
      packageName,
      mode,
    },
  ),
  dashboard_system_update: defineClientMessage(
    'dashboard_system_update',
    'Fills a corner of the dashboard; the system dashboard alone may.',
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

/** What apps are told about the dashboard (app socket protocol, 2.2). */
export const dashboardToApps = {
  dashboard_mode_changed: defineCloudMessage('dashboard_mode_changed', 'The dashboard is in another mode.', {
    mode,
    sessionId: Type.String({ description: 'The app session' }),
  }),
} as const
