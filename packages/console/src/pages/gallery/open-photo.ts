import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import { useUrlParameter } from '../../url-state.ts'

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
  const { history } = useRouter()
  const [id, change] = useUrlParameter('photo')
  const isOpenedHere = useRef(false)
  return {
    id,
    open: (opened) => {
      isOpenedHere.current = true
      void change(opened, { replace: false })
    },
    show: (shown) => void change(shown, { replace: true }),
    close: () => {
      if (isOpenedHere.current) history.back()
      else void change('', { replace: true })
      isOpenedHere.current = false
    },
  }
}
