import { useState } from 'react'
import { useUrlChoice } from '../../url-state.ts'

/**
 * A choice that is part of the address; without one there, the choice that was made last on this device.
 * @param name the parameter of the address
 * @param storageKey where the last choice is stored on this device
 * @param values the first is the default
 */
export function useRememberedChoice<Value extends string>(
  name: string,
  storageKey: string,
  values: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const [inAddress, setInAddress] = useUrlChoice<Value | ''>(name, ['', ...values])
  const [last] = useState(() => {
    const stored = localStorage.getItem(storageKey)
    return values.find((value) => value === stored) ?? values[0]
  })
  return [
    inAddress === '' ? last : inAddress,
    (chosen) => {
      localStorage.setItem(storageKey, chosen)
      setInAddress(chosen)
    },
  ]
}
