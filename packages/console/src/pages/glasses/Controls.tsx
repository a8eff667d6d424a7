import { findCapabilities } from '@glasses-cloud/contract'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import styles from './panels.module.css'
import { useAct, useToolState } from './use-simulator.ts'

const GESTURES = Object.entries({
  single_tap: 'Tap',
  double_tap: 'Double tap',
  triple_tap: 'Triple tap',
  long_press: 'Long touch',
  forward_swipe: 'Swipe forward',
  backward_swipe: 'Swipe backward',
  up_swipe: 'Swipe up',
  down_swipe: 'Swipe down',
})

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
    <Card
      title="Buttons and head"
      {...(hasCamera && {
        description: 'While no app handles it, the button camera takes a photo for the gallery.',
      })}
    >
      <TextField
        label="Button"
        description="As the device names it, such as camera or main"
        value={button}
        onChange={setButton}
        maxLength={200}
        autoComplete="off"
      />
      <div className={styles.row}>
        <Button onPress={() => act((glasses) => glasses.pressButton(button, 'short'))}>
          Press the button
        </Button>
        <Button onPress={() => act((glasses) => glasses.pressButton(button, 'long'))}>Press and hold</Button>
        <Button onPress={() => act((glasses) => glasses.moveHead(headUp ? 'down' : 'up'))}>
          {headUp ? 'Look straight' : 'Look up'}
        </Button>
      </div>
      <h3>Touch the temple</h3>
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
