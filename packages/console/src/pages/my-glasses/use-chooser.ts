import { useState } from 'react'
import { reportFailure } from '../../components/Toasts.tsx'
import { isClosedChooser } from '../../real-glasses/bluetooth.ts'

/** Runs choosers of the browser, and remembers whether the last one was closed without a choice. */
export function useChooser() {
  const [isClosed, setClosed] = useState(false)
  async function choose<Chosen>(chosen: Promise<Chosen>, use: (chosen: Chosen) => void): Promise<void> {
    setClosed(false)
    try {
      use(await chosen)
    } catch (error) {
      if (isClosedChooser(error)) setClosed(true)
      else reportFailure(error)
    }
  }
  return { choose, isClosed }
}
