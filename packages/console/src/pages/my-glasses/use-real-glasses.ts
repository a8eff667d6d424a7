import { useSyncExternalStore } from 'react'
import { RealGlasses } from '../../real-glasses/real-glasses.ts'
import type { RealGlassesState } from '../../real-glasses/real-glasses-state.ts'

/** The glasses of this tab. They stay on while other pages of the console are shown. */
let worn: RealGlasses | undefined

/** Returns the glasses of this tab, and their state. */
export function useRealGlasses(): { readonly glasses: RealGlasses; readonly state: RealGlassesState } {
  worn ??= new RealGlasses()
  const state = useSyncExternalStore(worn.subscribe, worn.getState)
  return { glasses: worn, state }
}
