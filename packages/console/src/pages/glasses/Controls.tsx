import { findCapabilities } from '@glasses-cloud/contract'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import { deviceTexts } from './device.texts.ts'
import styles from './panels.module.css'
import { useAct } from './use-simulator.ts'
import { useToolState } from './use-tool-state.ts'

const texts = deviceTexts.controls
const GESTURES = Object.entries(texts.gestures)

export interface ControlsProps {
  readonly simulator: Simulator
  readonly headUp: boolean
  readonly model: string
}

/** What the wearer does with the glasses besides speaking. */
export function Controls({ simulator, headUp, model }: ControlsProps) {
  const hasCamera = findCapabilities(model)?.hasCamera === true
  const [button, setButton] = useToolState('controls.button', 'camera')
  const act = useAct(simulator)
  return (
    <Card title={texts.title} {...(hasCamera && { description: texts.camera })}>
      <TextField
        label={texts.button}
        description={texts.buttonDescription}
        value={button}
        onChange={setButton}
        maxLength={200}
        autoComplete="off"
      />
      <div className={styles.row}>
        <Button onPress={() => act((glasses) => glasses.pressButton(button, 'short'))}>{texts.press}</Button>
        <Button onPress={() => act((glasses) => glasses.pressButton(button, 'long'))}>{texts.hold}</Button>
        <Button onPress={() => act((glasses) => glasses.moveHead(headUp ? 'down' : 'up'))}>
          {headUp ? texts.lookStraight : texts.lookUp}
        </Button>
      </div>
      <h3>{texts.touch}</h3>
      <div className={styles.row}>
        {GESTURES.map(([gesture, label]) => (
          <Button key={gesture} onPress={() => act((glasses) => glasses.touch(gesture))}>
            {label}
          </Button>
        ))}
      </div>
    </Card>
  )
}
