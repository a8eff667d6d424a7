import type { Step } from '../step.ts'
import { camera } from './camera.ts'
import { companions } from './companions.ts'
import { dashboard } from './dashboard.ts'
import { end } from './end.ts'
import { glasses } from './glasses.ts'
import { light } from './light.ts'
import { memory } from './memory.ts'
import { phone } from './phone.ts'
import { screens } from './screens.ts'
import { senses } from './senses.ts'
import { session } from './session.ts'
import { sound } from './sound.ts'

/** The whole tour, in order. From "other glasses" on, the wearer has some with camera, light and speaker. */
export const steps: readonly Step[] = [
  ...session,
  ...screens,
  ...dashboard,
  ...senses,
  ...phone,
  ...memory,
  ...companions,
  ...glasses,
  ...sound,
  ...light,
  ...camera,
  ...end,
]
