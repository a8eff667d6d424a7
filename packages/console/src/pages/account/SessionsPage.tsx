import { AccountFrame } from './AccountFrame.tsx'
import { Logins } from './Logins.tsx'
import { PersonalTokens } from './PersonalTokens.tsx'

/** What has access to the account. */
export function SessionsPage() {
  return (
    <AccountFrame>
      <Logins />
      <PersonalTokens />
    </AccountFrame>
  )
}
