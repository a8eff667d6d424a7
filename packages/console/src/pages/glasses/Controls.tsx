import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import { glasses } from '../../texts/glasses.ts'
import styles from './GlassesPage.module.css'
import { useAct } from './use-act.ts'

const texts = glasses.controls
const GESTURES = Object.entries(texts.gestures)

export interface ControlsProps {
  readonly simulator: Simulator
  readonly headUp: boolean
}

/** What the wearer does with the glasses besides speaking. */
export function Controls({ simulator, headUp }: ControlsProps) {
  const [button, setButton] = useState('camera')
  const act = useAct(simulator)
  return (
    <Card title={texts.title}>
      <TextField
        label={texts.button}
        description={texts.buttonHint}
        value={button}
        onChange={setButton}
        maxLength={200}
        autoComplete="off"
      />
      <div className={styles.row}>
        <Button onPress={() => act((glasses) => glasses.pressButton(button, 'short'))}>{texts.short}</Button>
        <Button onPress={() => act((glasses) => glasses.pressButton(button, 'long'))}>{texts.long}</Button>
        <Button onPress={() => act((glasses) => glasses.moveHead(headUp ? 'down' : 'up'))}>
          {headUp ? texts.headDown : texts.headUp}
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
