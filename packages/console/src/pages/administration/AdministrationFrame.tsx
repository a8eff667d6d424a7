import { Outlet } from '@tanstack/react-router'
import { Page } from '../../components/Page.tsx'

const LINKS = [
  { to: '/admin', label: 'Users' },
  { to: '/admin/review', label: 'Review' },
  { to: '/admin/sessions', label: 'Live sessions' },
  { to: '/admin/health', label: 'Health' },
  { to: '/admin/speech-models', label: 'Speech models' },
  { to: '/admin/reports', label: 'Reports' },
  { to: '/admin/audit', label: 'Audit log' },
  { to: '/admin/settings', label: 'Settings' },
  { to: '/admin/invitations', label: 'Invitations' },
] as const

/** The frame of the pages for administrators. */
export function AdministrationFrame() {
  return (
    <Page title="Administration" parts={{ label: 'Administration', links: LINKS }}>
      <Outlet />
    </Page>
  )
}
