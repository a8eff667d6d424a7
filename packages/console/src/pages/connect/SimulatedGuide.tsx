import { LinkButton } from '../../components/LinkButton.tsx'
import { connectTexts } from './connect.texts.ts'
import { SessionSteps } from './SessionSteps.tsx'
import { Step, Steps } from './Step.tsx'

const { steps, simulated } = connectTexts

/** The way to simulated glasses, which need nothing. */
export function SimulatedGuide() {
  return (
    <Steps label={steps}>
      <Step title={simulated.title} state="open">
        <p>{simulated.text}</p>
        <LinkButton to="/glasses" variant="primary">
          {simulated.action}
        </LinkButton>
      </Step>
      <SessionSteps />
    </Steps>
  )
}
