import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Returns a parameter of the address, and a function that replaces it; an empty text removes it. */
function useUrlParameter(name: string) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const parameters: Readonly<Record<string, unknown>> = search
  const value = parameters[name]
  return {
    value: value === undefined ? '' : String(value),
    set: (changed: string) =>
      navigate({
        to: '.',
        search: (before: object) => ({ ...before, [name]: changed === '' ? undefined : changed }),
        replace: true,
        resetScroll: false,
      }),
  }
}

/** A choice that is part of the address, so that a link leads to it. The first value is the default and left out. */
export function useUrlChoice<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const { value, set } = useUrlParameter(name)
  const [initial] = values
  return [
    values.find((each) => each === value) ?? initial,
    (chosen) => void set(chosen === initial ? '' : chosen),
  ]
}

/** A text that is part of the address, such as that of a search field. */
export function useUrlText(name: string): [string, (text: string) => void] {
  const { value, set } = useUrlParameter(name)
  const [text, setText] = useState(value)
  const pending = useRef(0)
  // The address follows the typed text, unless another page or link has changed it.
  useEffect(() => {
    if (pending.current === 0) setText(value)
  }, [value])
  return [
    text,
    (typed) => {
      setText(typed)
      pending.current++
      void set(typed).finally(() => pending.current--)
    },
  ]
}
