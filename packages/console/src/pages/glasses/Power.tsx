import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { LevelSlider } from '../../components/Slider.tsx'
import { Switch } from '../../components/Switch.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import { useAct, useToolState } from './use-simulator.ts'

/** Batteries of glasses, phone and case, and what they are doing. */
export function Power({ simulator }: { readonly simulator: Simulator }) {
  const act = useAct(simulator)
  return (
    <Card title="Battery">
      <Battery
        label="Battery of the glasses"
        chargingLabel="Charging"
        onReport={(level, charging) => act((glasses) => glasses.reportBattery(level, charging))}
      />
      <Battery
        label="Battery of the phone"
        chargingLabel="Phone is charging"
        onReport={(level, charging) =>
          act((glasses) =>
            glasses.send({ type: 'phone_battery_update', level, charging, timestamp: Date.now() }),
          )
        }
      />
      <Case simulator={simulator} />
    </Card>
  )
}

interface BatteryProps {
  readonly label: string
  readonly chargingLabel: string
  readonly onReport: (level: number, isCharging: boolean) => void
}

function Battery({ label, chargingLabel, onReport }: BatteryProps) {
  const [level, setLevel] = useToolState(`${label} level`, 80)
  const [isCharging, setCharging] = useToolState(`${label} charging`, false)
  return (
    <>
      <LevelSlider
        label={label}
        value={level}
        onChange={setLevel}
        onChangeEnd={(value) => onReport(value, isCharging)}
      />
      <Switch
        isSelected={isCharging}
        onChange={(value) => {
          setCharging(value)
          onReport(level, value)
        }}
      >
        {chargingLabel}
      </Switch>
    </>
  )
}

function Case({ simulator }: { readonly simulator: Simulator }) {
  const [level, setLevel] = useToolState('case.level', 60)
  const [isOpen, setOpen] = useToolState('case.open', true)
  const [isCharging, setCharging] = useToolState('case.charging', false)
  const act = useAct(simulator)
  return (
    <>
      <h3>Case</h3>
      <LevelSlider label="Battery of the case" value={level} onChange={setLevel} />
      <Switch isSelected={isOpen} onChange={setOpen}>
        The case is open
      </Switch>
      <Switch isSelected={isCharging} onChange={setCharging}>
        The case is charging
      </Switch>
      <div>
        <Button
          onPress={() =>
            act(async ({ api }) => {
              const state = { caseBatteryLevel: level, caseOpen: isOpen, caseCharging: isCharging }
              await api.reportDeviceState(state)
              reportSuccess('The case was reported')
            })
          }
        >
          Report the case
        </Button>
      </div>
    </>
  )
}
