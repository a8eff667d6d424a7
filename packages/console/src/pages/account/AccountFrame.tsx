import type { ReactNode } from 'react'
import { Page } from '../../components/Page.tsx'
import { SubNavigation } from '../../components/SubNavigation.tsx'
import { account as texts } from '../../texts/account.ts'

const LINKS = [
  { to: '/account', label: texts.pages.profile },
  { to: '/account/security', label: texts.pages.security },
  { to: '/account/sessions', label: texts.pages.sessions },
  { to: '/account/data', label: texts.pages.data },
] as const

/** The frame of the pages about the account of the signed-in user. */
export function AccountFrame({ children }: { readonly children: ReactNode }) {
  return (
    <Page title={texts.title}>
      <SubNavigation label={texts.title} links={LINKS} />
      {children}
    </Page>
  )
}
