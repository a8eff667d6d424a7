import { AddressStep } from './AddressStep.tsx'
import { ReachStep } from './ReachStep.tsx'
import { ScanCode } from './ScanCode.tsx'
import { SessionSteps } from './SessionSteps.tsx'
import { DeviceSignInStep } from './SignInStep.tsx'
import { Step, Steps } from './Step.tsx'
import { useCloudAddress } from './use-cloud-address.ts'

/** The way to an Even G2, through the app of its maker. */
export function EvenG2Guide() {
  const address = useCloudAddress()
  return (
    <Steps label="Steps">
      <AddressStep />
      <ReachStep />
      <Step title="Scan the code in the Even app" state="open">
        <p>
          Scan it as for apps in development. A page opens on the phone, and the lens shows a code for the
          next step.
        </p>
        <ScanCode
          labels={{
            qrCode: 'QR code with the page for the Even app',
            address: 'Page for the Even app',
          }}
          address={`${address}/glasses/even`}
        />
      </Step>
      <DeviceSignInStep />
      <SessionSteps />
    </Steps>
  )
}
