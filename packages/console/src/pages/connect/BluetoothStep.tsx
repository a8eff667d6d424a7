import type { Obstacle } from '../../real-glasses/bluetooth.ts'
import { ObstacleNotice } from '../my-glasses/BluetoothHelp.tsx'
import { connectTexts } from './connect.texts.ts'
import { Step } from './Step.tsx'

const texts = connectTexts.bluetooth

/** Whether this browser lets pages use Bluetooth. @param obstacle null: nothing is known to prevent it */
export function BluetoothStep({ obstacle }: { readonly obstacle: Obstacle | null | undefined }) {
  if (obstacle === undefined) return <Step title={texts.title} state="waiting" status={texts.checking} />
  if (obstacle === null) return <Step title={texts.title} state="done" status={texts.done} />
  return (
    <Step title={texts.title} state="problem">
      <ObstacleNotice obstacle={obstacle} />
      <p>{texts.other}</p>
    </Step>
  )
}
