import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { useBluetoothObstacle } from '../my-glasses/use-bluetooth-obstacle.ts'
import { AddressStep } from './AddressStep.tsx'
import { BluetoothStep } from './BluetoothStep.tsx'
import { connectTexts } from './connect.texts.ts'
import { ReachStep } from './ReachStep.tsx'
import { SessionSteps } from './SessionSteps.tsx'
import { Step, Steps } from './Step.tsx'

const { steps, mine, otherDevice } = connectTexts

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
      <Steps label={steps}>
        <BluetoothStep obstacle={obstacle} />
        {hasObstacle && onOtherDevice}
        <Step title={mine.title} state="open">
          <p>{mine.text}</p>
          <LinkButton to="/glasses/mine" variant="primary">
            {mine.action}
          </LinkButton>
        </Step>
        <SessionSteps />
      </Steps>
      {obstacle === null && (
        <Card title={otherDevice.title} description={otherDevice.description}>
          <Steps label={otherDevice.title}>{onOtherDevice}</Steps>
        </Card>
      )}
    </>
  )
}
