import type { Manifest } from '@glasses-cloud/contract'
import { Select } from '../../../components/Select.tsx'
import { ManifestText } from './fields.tsx'
import { formTexts } from './form.texts.ts'
import type { Draft } from './use-draft.ts'

const { basics: texts } = formTexts

type AppType = NonNullable<Manifest['appType']>
const APP_TYPES = (['STANDARD', 'BACKGROUND'] as const).map((value) => ({
  value: value as AppType,
  label: texts.appTypes[value],
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
      ? [...APP_TYPES, { value: value.appType, label: texts.appTypes.SYSTEM_DASHBOARD }]
      : APP_TYPES
  const text = (
    field: 'name' | 'packageName' | 'publicUrl' | 'webviewURL' | 'description' | 'onboardingInstructions',
  ) => ({
    path: field,
    label: texts[field],
    value: value[field],
    onChange: (changed: string) => set(field, changed),
  })
  return (
    <>
      <ManifestText {...text('name')} />
      {!isExisting && <ManifestText {...text('packageName')} description={texts.packageNameHint} />}
      <ManifestText {...text('publicUrl')} description={texts.publicUrlHint} />
      <ManifestText {...text('description')} lines={3} />
      <Select
        label={texts.appType}
        options={types}
        value={value.appType}
        onChange={(type) => set('appType', type)}
      />
      <ManifestText {...text('webviewURL')} description={texts.webviewURLHint} />
      <ManifestText {...text('onboardingInstructions')} lines={3} />
    </>
  )
}
