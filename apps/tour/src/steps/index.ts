import type { Step } from '../step.ts'
import { audio } from './audio.ts'
import { camera } from './camera.ts'
import { dashboard } from './dashboard.ts'
import { disconnect } from './disconnect.ts'
import { glasses } from './glasses.ts'
import { input } from './input.ts'
import { layouts } from './layouts.ts'
import { led } from './led.ts'
import { otherUsers } from './other-users.ts'
import { phone } from './phone.ts'
import { session } from './session.ts'
import { settingsAndStorage } from './settings-and-storage.ts'

/** The steps in order. From "other glasses" on, the glasses have a camera, an LED and a speaker. */
export const steps: readonly Step[] = [
  ...session,
  ...layouts,
  ...dashboard,
  ...input,
  ...phone,
  ...settingsAndStorage,
  ...otherUsers,
  ...glasses,
  ...audio,
  ...led,
  ...camera,
  ...disconnect,
]
