import { LinkButton } from '../../components/LinkButton.tsx'
import { SessionSteps } from './SessionSteps.tsx'
import { Step, Steps } from './Step.tsx'

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
