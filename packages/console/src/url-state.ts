import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Returns a parameter of the address, and a function that changes it; an empty text removes it. */
export function useUrlParameter(
  name: string,
): [string, (value: string, options: { readonly replace: boolean }) => Promise<void>] {
  const navigate = useNavigate()
  // Of the page that is shown, which a link that leads elsewhere does not change.
  const value = useSearch({
    strict: false,
    select: (search: Readonly<Record<string, unknown>>) => String(search[name] ?? ''),
  })
  return [
    value,
    (changed, { replace }) =>
      navigate({
        to: '.',
        search: (before: object) => ({ ...before, [name]: changed === '' ? undefined : changed }),
        replace,
        resetScroll: false,
      }),
  ]
}

/** A text that is part of the address, such as that of a search field. */
export function useUrlText(name: string): [string, (text: string) => void] {
  const router = useRouter()
  const [inAddress, change] = useUrlParameter(name)
  const [value, setValue] = useState(inAddress)
  const pending = useRef(0)
  // The address follows the user, unless another page or link has changed it.
  useEffect(() => {
    if (pending.current === 0) setValue(inAddress)
  }, [inAddress])

  async function replace(changed: string) {
    const { pathname } = router.latestLocation
    // Changing the address renders every link again, so the page answers first.
    await nextFrame()
    if (router.latestLocation.pathname !== pathname) return
    await change(changed, { replace: true })
  }
  return [
    value,
    (changed) => {
      setValue(changed)
      pending.current++
      void replace(changed).finally(() => pending.current--)
    },
  ]
}

/** Waits until what was changed is on the screen. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

/** A choice that is part of the address, so that a link leads to it. The first value is the default and left out. */
export function useUrlChoice<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const [value, set] = useUrlText(name)
  const [initial] = values
  return [values.find((each) => each === value) ?? initial, (chosen) => set(chosen === initial ? '' : chosen)]
}

/**
 * The parameters of a link that the cloud made, such as the token of a password reset. They are in the fragment, which
 * browsers send to no server, and are removed from the address, so that the history does not keep them.
 */
export function useLinkParameters(): URLSearchParams {
  const [parameters, setParameters] = useState(() => new URLSearchParams(window.location.hash.slice(1)))
  useEffect(() => {
    const take = () => {
      const { hash, pathname, search } = window.location
      if (hash === '') return
      setParameters(new URLSearchParams(hash.slice(1)))
      window.history.replaceState(window.history.state, '', pathname + search)
    }
    take()
    // A link to the page that is open loads nothing.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return parameters
}
