import { useLinkParameters } from '../../link-parameters.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { LinkedAccounts } from './LinkedAccounts.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Password } from './Password.tsx'
import { SecondFactor } from './SecondFactor.tsx'

/** How the user signs in. */
export function SecurityPage() {
  const failure = useLinkParameters().get('error')
  return (
    <AccountFrame>
      <Password />
      <SecondFactor />
      <Passkeys />
      <LinkedAccounts failure={failure} />
    </AccountFrame>
  )
}
