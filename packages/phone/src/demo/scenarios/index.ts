import { captions, type Scenario } from './captions.ts'
import { tour } from './tour.ts'

/** The scenarios by name on the command line; the first is the default. */
export const scenarios: Readonly<Record<string, Scenario>> = { captions, tour }
