import { Outlet } from '@tanstack/react-router'
import { Page } from '../../components/Page.tsx'
import { useLinkParameters } from '../../url-state.ts'
import { DataExport } from './DataExport.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { LinkedAccounts } from './LinkedAccounts.tsx'
import { Logins } from './Logins.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Password } from './Password.tsx'
import { PersonalTokens } from './PersonalTokens.tsx'
import { Privacy } from './Privacy.tsx'
import { Profile } from './Profile.tsx'
import { SecondFactor } from './SecondFactor.tsx'

const LINKS = [
  { to: '/account', label: 'Profile and privacy' },
  { to: '/account/security', label: 'Sign-in' },
  { to: '/account/sessions', label: 'Access' },
  { to: '/account/data', label: 'Your data' },
] as const

/** The frame of the pages about the account of the signed-in user. */
export function AccountFrame() {
  return (
    <Page title="Account" parts={{ label: 'Account', links: LINKS }}>
      <Outlet />
    </Page>
  )
}

/** Who the user is, and what the cloud and apps may do with their data. */
export function ProfilePage() {
  return (
    <>
      <Profile />
      <Privacy />
    </>
  )
}

/** How the user signs in. */
export function SecurityPage() {
  const failure = useLinkParameters().get('error')
  return (
    <>
      <Password />
      <SecondFactor />
      <Passkeys />
      <LinkedAccounts failure={failure} />
    </>
  )
}

/** What has access to the account. */
export function AccessPage() {
  return (
    <>
      <Logins />
      <PersonalTokens />
    </>
  )
}

/** The data of the user: take them along, or delete them. */
export function DataPage() {
  return (
    <>
      <DataExport />
      <DeleteAccount />
    </>
  )
}
