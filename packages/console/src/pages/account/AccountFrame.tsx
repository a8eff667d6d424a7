import type { ReactNode } from 'react'
import { Page } from '../../components/Page.tsx'
import { SubNavigation } from '../../components/SubNavigation.tsx'

const LINKS = [
  { to: '/account', label: 'Profile and privacy' },
  { to: '/account/security', label: 'Sign-in' },
  { to: '/account/sessions', label: 'Access' },
  { to: '/account/data', label: 'Your data' },
] as const

/** The frame of the pages about the account of the signed-in user. */
export function AccountFrame({ children }: { readonly children: ReactNode }) {
  return (
    <Page title="Account">
      <SubNavigation label="Account" links={LINKS} />
      {children}
    </Page>
  )
}
