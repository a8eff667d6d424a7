import { useEffect } from 'react'
import { reportFailure } from '../../components/Toasts.tsx'
import { isWornBy } from '../../simulator/remembered-glasses.ts'

/** Puts the glasses of a tab that was reloaded on again, on any page; their code is loaded only then. */
export function useWornGlasses(userId: string): void {
  useEffect(() => {
    if (isWornBy(userId))
      import('./own-glasses.ts').then(({ ownGlasses }) => ownGlasses(userId)).catch(reportFailure)
  }, [userId])
}
