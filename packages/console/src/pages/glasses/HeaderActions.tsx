import { KNOWN_MODELS } from '@glasses-cloud/contract'
import { Button } from '../../components/Button.tsx'
import { Select } from '../../components/Select.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'

const MODELS = KNOWN_MODELS.map((model) => ({ value: model, label: model }))

export interface HeaderActionsProps {
  readonly simulator: Simulator
  readonly state: Pick<SimulatorState, 'connection' | 'model'>
}

/** Chooses the model, and takes the glasses off. */
export function HeaderActions({ simulator, state: { connection, model } }: HeaderActionsProps) {
  return (
    <>
      <Select
        label="Model"
        isLabelHidden
        options={MODELS}
        value={model}
        onChange={(chosen) => simulator.putOn(chosen)}
      />
      {connection !== 'disconnected' && <Button onPress={() => void simulator.disconnect()}>Take off</Button>}
    </>
  )
}
