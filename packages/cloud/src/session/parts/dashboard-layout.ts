import type { AppToCloud, Layout } from '@glasses-cloud/contract'

export type DashboardMode = Extract<AppToCloud, { type: 'dashboard_mode_change' }>['mode']

type Section = Extract<AppToCloud, { type: 'dashboard_system_update' }>['section']

/** The texts in the corners of the dashboard. */
export type Sections = { [Name in Section]?: string }

/**
 * Builds the layout of the dashboard (app-socket.md §2.1.2).
 * @param content the content of an app; may be empty
 */
export function dashboardLayout(mode: DashboardMode, sections: Sections, content: string): Layout {
  const { topLeft = '', topRight = '', bottomLeft = '', bottomRight = '' } = sections
  if (mode === 'expanded') {
    const text = `${topLeft} | ${topRight}\n${content || 'No expanded content available'}`
    return { layoutType: 'text_wall', text }
  }
  const belowRight = bottomRight === '' ? content : `${bottomRight}\n\n${content}`
  return {
    layoutType: 'double_text_wall',
    topText: `${topLeft}\n${bottomLeft}`,
    bottomText: `${topRight}\n${belowRight}`,
  }
}
