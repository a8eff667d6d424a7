import type { ReactNode } from 'react'
import { Page } from '../../components/Page.tsx'
import { SubNavigation } from '../../components/SubNavigation.tsx'
import { administration as texts } from '../../texts/administration.ts'

const LINKS = [
  { to: '/admin', label: texts.parts.users },
  { to: '/admin/review', label: texts.parts.review },
  { to: '/admin/sessions', label: texts.parts.sessions },
  { to: '/admin/health', label: texts.parts.health },
  { to: '/admin/reports', label: texts.parts.reports },
  { to: '/admin/audit', label: texts.parts.audit },
  { to: '/admin/settings', label: texts.parts.settings },
  { to: '/admin/invitations', label: texts.parts.invitations },
] as const

/** The frame of the pages for administrators. */
export function AdministrationFrame({ children }: { readonly children: ReactNode }) {
  return (
    <Page title={texts.title}>
      <SubNavigation label={texts.title} links={LINKS} />
      {children}
    </Page>
  )
}
