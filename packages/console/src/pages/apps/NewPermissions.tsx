import { type App, useAcceptPermissions } from '../../api/apps.ts'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'
import { permissions } from '../../permissions.ts'
import { appTexts } from './texts.ts'

const texts = appTexts.newPermissions

export interface NewPermissionsProps {
  readonly app: Pick<App, 'packageName' | 'name' | 'newPermissions'>
}

/** Asks for the permissions that an app wants since it was installed. Without an answer the app works without them. */
export function NewPermissions({ app }: NewPermissionsProps) {
  const { name, packageName, newPermissions = [] } = app
  const accept = useAcceptPermissions(packageName)
  const { run, isPending, error } = useAction(accept, { success: texts.accepted(name) })
  if (newPermissions.length === 0) return null
  return (
    <Notice tone="warning" title={texts.title(name)}>
      <ul>
        {newPermissions.map(({ type, description }) => (
          <li key={type}>
            <strong>{permissions[type].name}</strong> {permissions[type].meaning}
            {description !== undefined && description !== '' && ` “${description}”`}
          </li>
        ))}
      </ul>
      <p>{texts.hint}</p>
      <Button
        isPending={isPending}
        aria-label={texts.acceptFor(name)}
        onPress={() => run(newPermissions.map(({ type }) => type))}
      >
        {texts.accept}
      </Button>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
    </Notice>
  )
}
