import { AddressStep } from './AddressStep.tsx'
import { connectTexts } from './connect.texts.ts'
import { ReachStep } from './ReachStep.tsx'
import { ScanCode } from './ScanCode.tsx'
import { SessionSteps } from './SessionSteps.tsx'
import { DeviceSignInStep } from './SignInStep.tsx'
import { Step, Steps } from './Step.tsx'
import { useCloudAddress } from './use-cloud-address.ts'

const { steps, even } = connectTexts

/** The way to an Even G2, through the app of its maker. */
export function EvenG2Guide() {
  const address = useCloudAddress()
  return (
    <Steps label={steps}>
      <AddressStep />
      <ReachStep />
      <Step title={even.title} state="open">
        <p>{even.text}</p>
        <ScanCode labels={even} address={`${address}/glasses/even`} />
      </Step>
      <DeviceSignInStep />
      <SessionSteps />
    </Steps>
  )
}
