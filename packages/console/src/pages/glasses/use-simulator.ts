import { useRouteContext } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
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

/** The values of tools by name. */
const values = new Map<string, unknown>()

/** State that a tool keeps while another tool or page is shown, until the tab is reloaded. @param name unique */
export function useToolState<Value>(
  name: string,
  initial: Value,
): [Value, (change: Value | ((before: Value) => Value)) => void] {
  const [value, setValue] = useState(() => (values.has(name) ? (values.get(name) as Value) : initial))
  return [
    value,
    (change) => {
      const before = values.has(name) ? (values.get(name) as Value) : initial
      const changed = change instanceof Function ? change(before) : change
      values.set(name, changed)
      setValue(changed)
    },
  ]
}
