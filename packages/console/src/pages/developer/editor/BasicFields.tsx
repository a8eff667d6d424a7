import type { Manifest } from '@glasses-cloud/contract'
import { Select } from '../../../components/Select.tsx'
import { ManifestText } from './fields.tsx'
import type { Draft } from './use-draft.ts'

const LABELS = {
  name: 'Name',
  packageName: 'Package name',
  publicUrl: 'Address of the app server',
  description: 'Description',
  webviewURL: 'Web page of the app (optional)',
  onboardingInstructions: 'First steps for wearers (optional)',
} as const

const APP_TYPE_NAMES = {
  STANDARD: 'Standard: one of them runs at a time',
  BACKGROUND: 'Background: runs beside other apps',
  SYSTEM_DASHBOARD: 'System dashboard',
} as const

type AppType = NonNullable<Manifest['appType']>
const APP_TYPES = (['STANDARD', 'BACKGROUND'] as const).map((value) => ({
  value: value as AppType,
  label: APP_TYPE_NAMES[value],
}))

export interface BasicFieldsProps {
  readonly draft: Draft
  /** Whether the app exists, so that its package name cannot be changed. */
  readonly isExisting: boolean
}

/** Name, addresses and texts of an app. */
export function BasicFields({ draft, isExisting }: BasicFieldsProps) {
  const { value, set } = draft
  const types =
    value.appType === 'SYSTEM_DASHBOARD'
      ? [...APP_TYPES, { value: value.appType, label: 'System dashboard' }]
      : APP_TYPES
  const text = (
    field: 'name' | 'packageName' | 'publicUrl' | 'webviewURL' | 'description' | 'onboardingInstructions',
  ) => ({
    path: field,
    label: LABELS[field],
    value: value[field],
    onChange: (changed: string) => set(field, changed),
  })
  return (
    <>
      <ManifestText {...text('name')} />
      {!isExisting && (
        <ManifestText
          {...text('packageName')}
          description="Unique in this cloud and cannot be changed, such as dev.example.captions"
        />
      )}
      <ManifestText
        {...text('publicUrl')}
        description="The cloud calls the app here, such as https://captions.example.org"
      />
      <ManifestText {...text('description')} lines={3} />
      <Select label="Type" options={types} value={value.appType} onChange={(type) => set('appType', type)} />
      <ManifestText
        {...text('webviewURL')}
        description="The phone opens it with proof of who the wearer is"
      />
      <ManifestText {...text('onboardingInstructions')} lines={3} />
    </>
  )
}
