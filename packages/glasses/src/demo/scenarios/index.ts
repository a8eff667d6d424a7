import type { Scenario } from '../scenario.ts'
import { captions } from './captions.ts'
import { tour } from './tour.ts'

/** Every scenario by its name on the command line; the first is played when none is named. */
export const scenarios: Readonly<Record<string, Scenario>> = { captions, tour }
