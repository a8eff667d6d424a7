import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { Switch } from '../../components/Switch.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import { glasses } from '../../texts/glasses.ts'
import { LevelSlider } from './LevelSlider.tsx'
import { useAct } from './use-act.ts'

const texts = glasses.power

/** Batteries of glasses, phone and case, and what they are doing. */
export function Power({ simulator }: { readonly simulator: Simulator }) {
  const act = useAct(simulator)
  return (
    <Card title={texts.title}>
      <Battery
        label={texts.battery}
        chargingLabel={texts.charging}
        onReport={(level, charging) => act((glasses) => glasses.reportBattery(level, charging))}
      />
      <Battery
        label={texts.phoneBattery}
        chargingLabel={texts.phoneCharging}
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
  const [level, setLevel] = useState(80)
  const [isCharging, setCharging] = useState(false)
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
  const [level, setLevel] = useState(60)
  const [isOpen, setOpen] = useState(true)
  const [isCharging, setCharging] = useState(false)
  const act = useAct(simulator)
  return (
    <>
      <h3>{texts.case}</h3>
      <LevelSlider label={texts.caseBattery} value={level} onChange={setLevel} />
      <Switch isSelected={isOpen} onChange={setOpen}>
        {texts.caseOpen}
      </Switch>
      <Switch isSelected={isCharging} onChange={setCharging}>
        {texts.caseCharging}
      </Switch>
      <div>
        <Button
          onPress={() =>
            act(async ({ phone }) => {
              const state = { caseBatteryLevel: level, caseOpen: isOpen, caseCharging: isCharging }
              await phone.reportDeviceState(state)
              reportSuccess(texts.caseSent)
            })
          }
        >
          {texts.caseSend}
        </Button>
      </div>
    </>
  )
}
