import { type App, useAcceptPermissions } from '../../api/apps.ts'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'
import { permissions } from '../../permissions.ts'

export interface NewPermissionsProps {
  readonly app: Pick<App, 'packageName' | 'name' | 'newPermissions'>
}

/** Asks for the permissions that an app wants since it was installed. Without an answer the app works without them. */
export function NewPermissions({ app }: NewPermissionsProps) {
  const { name, packageName, newPermissions = [] } = app
  const accept = useAcceptPermissions(packageName)
  const { run, isPending, error } = useAction(accept, { success: `${name} has the new permissions` })
  if (newPermissions.length === 0) return null
  return (
    <Notice tone="warning" title={`${name} asks for more`}>
      <ul>
        {newPermissions.map(({ type, description }) => (
          <li key={type}>
            <strong>{permissions[type].name}</strong> {permissions[type].meaning}
            {description !== undefined && description !== '' && ` “${description}”`}
          </li>
        ))}
      </ul>
      <p>It works without them until you accept, and never learns what was before.</p>
      <Button
        isPending={isPending}
        aria-label={`Accept for ${name}`}
        onPress={() => run(newPermissions.map(({ type }) => type))}
      >
        Accept
      </Button>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
    </Notice>
  )
}
