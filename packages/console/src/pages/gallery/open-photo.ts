import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useRef } from 'react'

/** Parameter of the address. */
const PARAMETER: string = 'photo'

/** The photo of the address, and functions that change it. */
export interface OpenPhoto {
  /** Empty without one. */
  readonly id: string
  /** Opens a photo; the back button of the browser closes it. */
  readonly open: (id: string) => void
  /** Replaces the open photo by another one. */
  readonly show: (id: string) => void
  readonly close: () => void
}

/** Keeps the open photo in the address. */
export function useOpenPhoto(): OpenPhoto {
  const { search } = useLocation()
  const navigate = useNavigate()
  const { history } = useRouter()
  const isOpenedHere = useRef(false)
  const parameters: Readonly<Record<string, unknown>> = search
  const photo = parameters[PARAMETER]
  const go = (id: string | undefined, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, [PARAMETER]: id }),
      replace,
      resetScroll: false,
    })
  return {
    id: photo === undefined ? '' : String(photo),
    open: (id) => {
      isOpenedHere.current = true
      go(id, false)
    },
    show: (id) => go(id, true),
    close: () => {
      if (isOpenedHere.current) history.back()
      else go(undefined, true)
      isOpenedHere.current = false
    },
  }
}
