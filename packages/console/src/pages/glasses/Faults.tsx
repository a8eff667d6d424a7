import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Switch } from '../../components/Switch.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Faults as FaultState } from '../../simulator/simulator-state.ts'
import { useAct } from './use-simulator.ts'

const SPEED_NAMES = {
  full: 'Full',
  32000: '32 KB/s: just enough for sound',
  4000: '4 KB/s: too slow for sound',
} as const

const LATENCIE_NAMES = { 0: 'None', 300: '0.3 seconds', 2000: '2 seconds' } as const

const LATENCIES = Object.entries(LATENCIE_NAMES).map(([value, label]) => ({ value, label }))
const SPEEDS = Object.entries(SPEED_NAMES).map(([value, label]) => ({ value, label }))

export interface FaultsProps {
  readonly simulator: Simulator
  readonly faults: FaultState
}

/** Faults on purpose: of the network, and of the parts of the glasses. */
export function Faults({ simulator, faults }: FaultsProps) {
  const act = useAct(simulator)
  return (
    <Card title="Faults" description="See how apps behave when something goes wrong.">
      <div>
        <Button onPress={() => act((glasses) => glasses.loseConnection())}>Lose the connection</Button>
      </div>
      <Select
        label="Delay of the network"
        options={LATENCIES}
        value={String(faults.latencyMs)}
        onChange={(value) => simulator.setFaults({ latencyMs: Number(value) })}
      />
      <Select
        label="Speed of the network"
        options={SPEEDS}
        value={String(faults.bytesPerSecond ?? 'full')}
        onChange={(value) =>
          simulator.setFaults({ bytesPerSecond: value === 'full' ? undefined : Number(value) })
        }
      />
      <Switch
        isSelected={faults.losesAnswers}
        onChange={(losesAnswers) => simulator.setFaults({ losesAnswers })}
      >
        Lose answers
      </Switch>
      <p className="muted">Photos, sounds, streams and the LED are requested, and nothing is answered.</p>
      <Switch
        isSelected={faults.refusesPhotos}
        onChange={(refusesPhotos) => simulator.setFaults({ refusesPhotos })}
      >
        Refuse photos
      </Switch>
      <Switch
        isSelected={faults.hasBrokenLed}
        onChange={(hasBrokenLed) => simulator.setFaults({ hasBrokenLed })}
      >
        Break the LED
      </Switch>
    </Card>
  )
}
