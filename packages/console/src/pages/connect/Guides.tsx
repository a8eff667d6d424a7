import { LinkButton } from '../../components/Button.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Card } from '../../components/Page.tsx'
import type { Obstacle } from '../../real-glasses/bluetooth.ts'
import { ObstacleNotice, useBluetoothObstacle } from '../my-glasses/BluetoothHelp.tsx'
import { AddressStep } from './AddressStep.tsx'
import { ReachStep, useCloudAddress } from './ReachStep.tsx'
import { ScanCode } from './ScanCode.tsx'
import { SessionSteps } from './SessionSteps.tsx'
import { DeviceSignInStep, SignInStep } from './SignInStep.tsx'
import { Step, Steps } from './Step.tsx'

/** The way to glasses that a browser is the phone of: this one, or that of another device. */
export function BrowserGuide() {
  const obstacle = useBluetoothObstacle()
  const hasObstacle = obstacle !== null && obstacle !== undefined
  const onOtherDevice = (
    <>
      <AddressStep />
      <ReachStep />
    </>
  )
  return (
    <>
      <Steps label="Steps">
        <BluetoothStep obstacle={obstacle} />
        {hasObstacle && onOtherDevice}
        <Step title="Choose your glasses" state="open">
          <p>The page My glasses opens the list of the browser, connects, and shows what the lens shows.</p>
          <LinkButton to="/glasses/mine" variant="primary">
            Open My glasses
          </LinkButton>
        </Step>
        <SessionSteps />
      </Steps>
      {obstacle === null && (
        <Card
          title="With a phone or another computer"
          description="The page that the code opens leads on from there."
        >
          <Steps label="With a phone or another computer">{onOtherDevice}</Steps>
        </Card>
      )}
    </>
  )
}

/** Whether this browser lets pages use Bluetooth. @param obstacle null: nothing is known to prevent it */
function BluetoothStep({ obstacle }: { readonly obstacle: Obstacle | null | undefined }) {
  if (obstacle === undefined)
    return <Step title="A browser with Bluetooth" state="waiting" status="Looking for Bluetooth…" />
  if (obstacle === null)
    return (
      <Step
        title="A browser with Bluetooth"
        state="done"
        status="This browser lets pages use Bluetooth. Go on here, or on another device, below."
      />
    )
  return (
    <Step title="A browser with Bluetooth" state="problem">
      <ObstacleNotice obstacle={obstacle} />
      <p>Or open this page on a device that can, such as a phone with Android: the next two steps test it.</p>
    </Step>
  )
}

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

const WAYS = [
  'Even G2 by the app of their maker, and Even G1, Brilliant Frame and Halo in a browser: choose them above.',
  'Vuzix Z100, Mentra Mach 1 and Mentra Live by an own build of the open phone app: choose it above.',
] as const

/** What glasses with the app of their maker can do with this cloud. */
export function VendorAppGuide() {
  return (
    <Card title="What is possible today">
      <p>
        The present phone app of Mentra speaks another protocol, so it needs a mini app of this cloud, which
        it installs by a code; this is experimental. The apps of other makers do not reach this cloud. There
        are further ways for glasses of the following kinds:
      </p>
      <div>
        <LinkButton to="/glasses/bridge" variant="primary">
          Show the code for the Mentra app
        </LinkButton>
      </div>
      <ul>
        {WAYS.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
      <p>For all others, simulated glasses show what apps do.</p>
      <div>
        <LinkButton to="/glasses">Wear simulated glasses</LinkButton>
      </div>
    </Card>
  )
}

/** The way to simulated glasses, which need nothing. */
export function SimulatedGuide() {
  return (
    <Steps label="Steps">
      <Step title="Put on simulated glasses" state="open">
        <p>
          They connect over the same socket as a phone, and stay on while you use other pages of the console.
        </p>
        <LinkButton to="/glasses" variant="primary">
          Wear simulated glasses
        </LinkButton>
      </Step>
      <SessionSteps />
    </Steps>
  )
}
