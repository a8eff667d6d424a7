import { useState } from 'react'

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
