import { reportFailure } from '../../components/Toasts.tsx'
import type { Simulator } from '../../simulator/simulator.ts'

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
