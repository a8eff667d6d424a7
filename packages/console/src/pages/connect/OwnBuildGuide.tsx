import { CopyField } from '../../components/CopyField.tsx'
import { AddressStep } from './AddressStep.tsx'
import { ReachStep } from './ReachStep.tsx'
import { SessionSteps } from './SessionSteps.tsx'
import { SignInStep } from './SignInStep.tsx'
import { Step, Steps } from './Step.tsx'
import { useCloudAddress } from './use-cloud-address.ts'

/** Variables of the build whose value is the address of the cloud. */
const ADDRESS_VARIABLES = ['EXPO_PUBLIC_BACKEND_URL_OVERRIDE', 'EXPO_PUBLIC_SUPABASE_URL'] as const

/** The way to glasses by an own build of the open phone app. */
export function OwnBuildGuide() {
  const address = useCloudAddress()
  return (
    <Steps label="Steps">
      <AddressStep />
      <ReachStep />
      <Step title="Build the app" state="open">
        <p>
          Until July 2026 the phone app of Mentra spoke the protocol of this cloud. A build of such a version
          wears Even G1, Vuzix Z100, Mentra Mach 1 and Mentra Live; docs/own-build.md of Glasses Cloud
          describes it. These variables of the build have the address of this cloud:
        </p>
        {ADDRESS_VARIABLES.map((name) => (
          <CopyField key={name} label={name} value={address} />
        ))}
        <p>Pair the glasses in the app.</p>
      </Step>
      <SignInStep instruction="Sign in with the e-mail address that you use here." />
      <SessionSteps />
    </Steps>
  )
}
