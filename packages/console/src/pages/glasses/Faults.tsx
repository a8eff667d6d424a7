import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Switch } from '../../components/Switch.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Faults as FaultState } from '../../simulator/simulator-state.ts'
import { deviceTexts } from './device.texts.ts'
import { useAct } from './use-simulator.ts'

const texts = deviceTexts.faults
const LATENCIES = Object.entries(texts.latencies).map(([value, label]) => ({ value, label }))
const SPEEDS = Object.entries(texts.speeds).map(([value, label]) => ({ value, label }))

export interface FaultsProps {
  readonly simulator: Simulator
  readonly faults: FaultState
}

/** Faults on purpose: of the network, and of the parts of the glasses. */
export function Faults({ simulator, faults }: FaultsProps) {
  const act = useAct(simulator)
  return (
    <Card title={texts.title} description={texts.description}>
      <div>
        <Button onPress={() => act((glasses) => glasses.loseConnection())}>{texts.loseConnection}</Button>
      </div>
      <Select
        label={texts.latency}
        options={LATENCIES}
        value={String(faults.latencyMs)}
        onChange={(value) => simulator.setFaults({ latencyMs: Number(value) })}
      />
      <Select
        label={texts.speed}
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
        {texts.loseAnswers}
      </Switch>
      <p className="muted">{texts.loseAnswersDescription}</p>
      <Switch
        isSelected={faults.refusesPhotos}
        onChange={(refusesPhotos) => simulator.setFaults({ refusesPhotos })}
      >
        {texts.refusePhotos}
      </Switch>
      <Switch
        isSelected={faults.hasBrokenLed}
        onChange={(hasBrokenLed) => simulator.setFaults({ hasBrokenLed })}
      >
        {texts.breakLed}
      </Switch>
    </Card>
  )
}
