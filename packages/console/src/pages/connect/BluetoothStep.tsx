import type { Obstacle } from '../../real-glasses/bluetooth.ts'
import { ObstacleNotice } from '../my-glasses/BluetoothHelp.tsx'
import { Step } from './Step.tsx'

/** Whether this browser lets pages use Bluetooth. @param obstacle null: nothing is known to prevent it */
export function BluetoothStep({ obstacle }: { readonly obstacle: Obstacle | null | undefined }) {
  if (obstacle === undefined)
    return <Step title="A browser with Bluetooth" state="waiting" status="Looking for Bluetooth…" />
  if (obstacle === null)
    return (
      <Step
        title="A browser with Bluetooth"
        state="done"
        status="This browser lets pages use Bluetooth. Go on here, or on another device, below."
      />
    )
  return (
    <Step title="A browser with Bluetooth" state="problem">
      <ObstacleNotice obstacle={obstacle} />
      <p>Or open this page on a device that can, such as a phone with Android: the next two steps test it.</p>
    </Step>
  )
}
