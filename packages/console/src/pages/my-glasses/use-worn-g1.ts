import { useSyncExternalStore } from 'react'
import { WornG1 } from '../../real-glasses/worn-g1.ts'
import type { WornG1State } from '../../real-glasses/worn-g1-state.ts'

/** The glasses of this tab. They stay on while other pages of the console are shown. */
let worn: WornG1 | undefined

/** Returns the glasses of this tab, and their state. */
export function useWornG1(): { readonly glasses: WornG1; readonly state: WornG1State } {
  worn ??= new WornG1()
  const state = useSyncExternalStore(worn.subscribe, worn.getState)
  return { glasses: worn, state }
}
