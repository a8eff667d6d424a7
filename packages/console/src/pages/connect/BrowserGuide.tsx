import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { useBluetoothObstacle } from '../my-glasses/use-bluetooth-obstacle.ts'
import { AddressStep } from './AddressStep.tsx'
import { BluetoothStep } from './BluetoothStep.tsx'
import { ReachStep } from './ReachStep.tsx'
import { SessionSteps } from './SessionSteps.tsx'
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
