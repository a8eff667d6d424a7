import { createContext, useContext } from 'react'
import type { DeveloperApp } from '../../api/developer.ts'

/** The app that the pages below `/developer/apps/$packageName` are about. */
export const DeveloperAppContext = createContext<DeveloperApp | undefined>(undefined)

/** The app of the page. */
export function useDeveloperApp(): DeveloperApp {
  const app = useContext(DeveloperAppContext)
  if (app === undefined) throw new Error('useDeveloperApp is for pages inside AppFrame')
  return app
}
