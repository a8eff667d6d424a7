import { useRouteContext } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { reportFailure } from '../../components/Toasts.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'
import { ownGlasses } from './own-glasses.ts'

/** Returns the glasses of this tab, and their state. */
export function useSimulator(): { readonly simulator: Simulator; readonly state: SimulatorState } {
  const { user } = useRouteContext({ from: '/signed-in' })
  const simulator = ownGlasses(user.id)
  const state = useSyncExternalStore(simulator.subscribe, simulator.getState)
  return { simulator, state }
}

/** Returns a function that does something with the glasses; a failure, such as a lost connection, is reported. */
export function useAct(simulator: Simulator) {
  return (action: (glasses: Simulator['glasses']) => unknown): void => {
    const perform = async () => {
      await action(simulator.glasses)
      simulator.refresh()
    }
    void perform().catch(reportFailure)
  }
}
