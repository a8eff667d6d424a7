import {
  HARDWARE_TYPES,
  type HardwareRequirement,
  PERMISSION_TYPES,
  type Permission,
} from '@glasses-cloud/contract'
import { Select } from '../../../components/Select.tsx'
import { hardware, permissions as permissionTexts } from '../../../permissions.ts'
import { ManifestText } from './fields.tsx'
import { ListEditor } from './ListEditor.tsx'
import type { Draft } from './use-draft.ts'

const PERMISSIONS = PERMISSION_TYPES.map((value) => ({ value, label: permissionTexts[value].name }))
const HARDWARE = HARDWARE_TYPES.map((value) => ({ value, label: hardware[value] }))
const LEVELS = [
  { value: 'REQUIRED', label: 'Required' },
  { value: 'OPTIONAL', label: 'Optional' },
] as const

/** What an app may use, and the hardware that it needs. */
export function NeedsFields({ draft: { value, set } }: { readonly draft: Draft }) {
  return (
    <>
      <ListEditor<Permission>
        title="Permissions"
        hint="What the app may use. Ask only for what it needs: wearers see each of them."
        addLabel="Add a permission"
        path="permissions"
        entries={value.permissions}
        onChange={(permissions) => set('permissions', permissions)}
        create={() => ({ type: firstFree(PERMISSION_TYPES, value.permissions), description: '' })}
        nameOf={({ type }) => permissionTexts[type].name}
      >
        {(permission, path, change) => (
          <>
            <Select
              label="Permission"
              options={PERMISSIONS}
              value={permission.type}
              onChange={(type) => change({ ...permission, type })}
            />
            <ManifestText
              path={`${path}.description`}
              label="Reason"
              description="Wearers read it before they install the app"
              value={permission.description ?? ''}
              onChange={(description) => change({ ...permission, description })}
            />
          </>
        )}
      </ListEditor>
      <ListEditor<HardwareRequirement>
        title="Hardware"
        hint="The app does not start on glasses without its required hardware."
        addLabel="Add hardware"
        path="hardwareRequirements"
        entries={value.hardwareRequirements}
        onChange={(requirements) => set('hardwareRequirements', requirements)}
        create={() => ({
          type: firstFree(HARDWARE_TYPES, value.hardwareRequirements),
          level: 'REQUIRED',
          description: '',
        })}
        nameOf={({ type }) => hardware[type]}
      >
        {(requirement, path, change) => (
          <>
            <Select
              label="Part"
              options={HARDWARE}
              value={requirement.type}
              onChange={(type) => change({ ...requirement, type })}
            />
            <Select
              label="Need"
              options={LEVELS}
              value={requirement.level}
              onChange={(level) => change({ ...requirement, level })}
            />
            <ManifestText
              path={`${path}.description`}
              label="Reason"
              value={requirement.description ?? ''}
              onChange={(description) => change({ ...requirement, description })}
            />
          </>
        )}
      </ListEditor>
    </>
  )
}

/** The first type that no entry has, so that a new entry does not repeat another one. */
function firstFree<Type extends string>(
  types: readonly [Type, ...Type[]],
  entries: readonly { readonly value: { readonly type: Type } }[],
): Type {
  return types.find((type) => entries.every(({ value }) => value.type !== type)) ?? types[0]
}
