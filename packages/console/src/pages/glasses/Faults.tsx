import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Switch } from '../../components/Switch.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Faults as FaultState } from '../../simulator/simulator-state.ts'
import { useAct } from './use-simulator.ts'

/** In ms. */
const LATENCIES = [
  { value: '0', label: 'None' },
  { value: '300', label: '0.3 seconds' },
  { value: '2000', label: '2 seconds' },
]
/** In bytes per second. */
const SPEEDS = [
  { value: '4000', label: '4 KB/s: too slow for sound' },
  { value: '32000', label: '32 KB/s: just enough for sound' },
  { value: 'full', label: 'Full' },
]

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
