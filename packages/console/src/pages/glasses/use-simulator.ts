import { SIMULATED_GLASSES_MODEL } from '@glasses-cloud/contract'
import { useSyncExternalStore } from 'react'
import { reportFailure } from '../../components/Toasts.tsx'
import { Simulator, type SimulatorState } from '../../simulator/simulator.ts'

/** The glasses of this tab. They stay on while other pages of the console are shown. */
let simulator: Simulator | undefined

/** Returns the glasses of this tab, and their state. */
export function useSimulator(): { readonly simulator: Simulator; readonly state: SimulatorState } {
  simulator ??= new Simulator(SIMULATED_GLASSES_MODEL)
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
