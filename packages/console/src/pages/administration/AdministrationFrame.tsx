import type { ReactNode } from 'react'
import { Page } from '../../components/Page.tsx'
import { SubNavigation } from '../../components/SubNavigation.tsx'

const LINKS = [
  { to: '/admin', label: 'Users' },
  { to: '/admin/review', label: 'Review' },
  { to: '/admin/sessions', label: 'Live sessions' },
  { to: '/admin/health', label: 'Health' },
  { to: '/admin/reports', label: 'Reports' },
  { to: '/admin/audit', label: 'Audit log' },
  { to: '/admin/settings', label: 'Settings' },
  { to: '/admin/invitations', label: 'Invitations' },
] as const

/** The frame of the pages for administrators. */
export function AdministrationFrame({ children }: { readonly children: ReactNode }) {
  return (
    <Page title="Administration">
      <SubNavigation label="Administration" links={LINKS} />
      {children}
    </Page>
  )
}
