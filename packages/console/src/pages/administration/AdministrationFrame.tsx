import { Outlet } from '@tanstack/react-router'
import { Page } from '../../components/Page.tsx'
import { frameTexts as texts } from './frame.texts.ts'

const LINKS = [
  { to: '/admin', label: texts.users },
  { to: '/admin/review', label: texts.review },
  { to: '/admin/sessions', label: texts.sessions },
  { to: '/admin/health', label: texts.health },
  { to: '/admin/speech-models', label: texts.speechModels },
  { to: '/admin/reports', label: texts.reports },
  { to: '/admin/audit', label: texts.audit },
  { to: '/admin/settings', label: texts.settings },
  { to: '/admin/invitations', label: texts.invitations },
] as const

/** The frame of the pages for administrators. */
export function AdministrationFrame() {
  return (
    <Page title={texts.title} parts={{ label: texts.title, links: LINKS }}>
      <Outlet />
    </Page>
  )
}
