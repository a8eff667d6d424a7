import type { AppToCloud, Layout } from '@glasses-cloud/contract'

/** Which of its two faces the dashboard shows. */
export type DashboardMode = Extract<AppToCloud, { type: 'dashboard_mode_change' }>['mode']

type Section = Extract<AppToCloud, { type: 'dashboard_system_update' }>['section']

/** The corners of the dashboard, as far as they are filled. */
export type Sections = { [Name in Section]?: string }

/**
 * Puts the dashboard together (app socket protocol, 2.1.2).
 * @param content what apps have to show; may be empty
 */
export function compose(mode: DashboardMode, sections: Sections, content: string): Layout {
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
