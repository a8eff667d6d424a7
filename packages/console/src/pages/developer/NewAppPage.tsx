import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateApp } from '../../api/developer.ts'
import { organizationsQuery } from '../../api/organizations.ts'
import { Page } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { type AppDraft, EMPTY_DRAFT, entryOf, toManifest } from './editor/app-draft.ts'
import { ManifestFile } from './editor/ManifestFile.tsx'
import { ManifestForm } from './editor/ManifestForm.tsx'
import { useDraft } from './editor/use-draft.ts'
import { FIRST_APP_URL, firstPackageName } from './first-app.ts'

/** Creates an app from a form or from its manifest, for the user or an organization of the user. */
export function NewAppPage() {
  const { first } = useSearch({ from: '/signed-in/developer/new' })
  const { user } = useRouteContext({ from: '/signed-in' })
  const [owner, setOwner] = useState('')
  const navigate = useNavigate()
  const createApp = useCreateApp()
  const draft = useDraft(() => (first ? firstDraft(user.email) : EMPTY_DRAFT))

  async function create(manifest: object) {
    const { app } = await createApp(manifest, owner === '' ? undefined : owner)
    await navigate({
      to: first ? '/developer/apps/$packageName/first-app' : '/developer/apps/$packageName',
      params: { packageName: app.packageName },
    })
  }

  const ownerField = <OwnerField value={owner} onChange={setOwner} />
  const form = (
    <ManifestForm
      draft={draft}
      isExisting={false}
      submitLabel="Create the app"
      onSubmit={() => create(toManifest(draft.value))}
      before={ownerField}
    />
  )
  return (
    <Page
      title="Create an app"
      description="An app is a server of yours, which the cloud calls when a wearer starts it."
      breadcrumb={[{ to: '/developer', label: 'Developer' }]}
    >
      <Tabs
        name="way"
        label="Ways to create an app"
        items={[
          { id: 'form', title: 'Form', content: form },
          {
            id: 'file',
            title: 'Manifest file',
            content: <ManifestFile onSubmit={create} before={ownerField} />,
          },
        ]}
      />
    </Page>
  )
}

interface OwnerFieldProps {
  readonly value: string
  readonly onChange: (owner: string) => void
}

/** Who will own the app; only asked of members of organizations. */
function OwnerField({ value, onChange }: OwnerFieldProps) {
  const { data: organizations = [] } = useQuery(organizationsQuery)
  if (organizations.length === 0) return null
  const options = [
    { value: '', label: 'You' },
    ...organizations.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return <Select label="Owner" options={options} value={value} onChange={onChange} />
}

/** The form of the first app, filled in. */
function firstDraft(email: string): AppDraft {
  return {
    ...EMPTY_DRAFT,
    packageName: firstPackageName(email),
    name: 'My first app',
    description: 'Shows what you say.',
    publicUrl: FIRST_APP_URL,
    permissions: [entryOf({ type: 'MICROPHONE' as const, description: 'To show what you say' })],
  }
}
