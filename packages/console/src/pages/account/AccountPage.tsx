import { AccountFrame } from './AccountFrame.tsx'
import { Privacy } from './Privacy.tsx'
import { Profile } from './Profile.tsx'

/** Who the user is, and what the cloud and apps may do with their data. */
export function AccountPage() {
  return (
    <AccountFrame>
      <Profile />
      <Privacy />
    </AccountFrame>
  )
}
