import { ActionFailure } from './ActionFailure.tsx'
import { NewPermissions } from './NewPermissions.tsx'
import type { AppControls } from './use-app-controls.ts'

/** What an app asks for, and why its last action failed. */
export function AppNotices({ controls: { app, input, error } }: { readonly controls: AppControls }) {
  return (
    <>
      <NewPermissions app={app} />
      {error !== undefined && <ActionFailure app={app} action={input} error={error} />}
    </>
  )
}
