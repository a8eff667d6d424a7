import { CopyField } from '../../components/CopyField.tsx'
import { AddressStep } from './AddressStep.tsx'
import { connectTexts } from './connect.texts.ts'
import { ReachStep } from './ReachStep.tsx'
import { SessionSteps } from './SessionSteps.tsx'
import { SignInStep } from './SignInStep.tsx'
import { Step, Steps } from './Step.tsx'
import { useCloudAddress } from './use-cloud-address.ts'

const { steps, build, signIn } = connectTexts

/** Variables of the build whose value is the address of the cloud. */
const ADDRESS_VARIABLES = ['EXPO_PUBLIC_BACKEND_URL_OVERRIDE', 'EXPO_PUBLIC_SUPABASE_URL'] as const

/** The way to glasses by an own build of the open phone app. */
export function OwnBuildGuide() {
  const address = useCloudAddress()
  return (
    <Steps label={steps}>
      <AddressStep />
      <ReachStep />
      <Step title={build.title} state="open">
        <p>{build.text}</p>
        {ADDRESS_VARIABLES.map((name) => (
          <CopyField key={name} label={name} value={address} />
        ))}
        <p>{build.pair}</p>
      </Step>
      <SignInStep instruction={signIn.app} />
      <SessionSteps />
    </Steps>
  )
}
