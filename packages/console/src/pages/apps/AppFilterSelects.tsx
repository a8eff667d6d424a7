import { Select } from '../../components/Select.tsx'
import { hardware, permissions } from '../../permissions.ts'
import { type AppFilters, HARDWARE, PERMISSION, SHOW } from './app-filters.ts'
import { storeTexts as texts } from './store.texts.ts'

const SHOW_OPTIONS = SHOW.map((value) => ({ value, label: texts.shown[value] }))
const HARDWARE_OPTIONS = HARDWARE.map((value) => ({
  value,
  label: value === 'any' ? texts.anyHardware : hardware[value],
}))
const PERMISSION_OPTIONS = PERMISSION.map((value) => ({
  value,
  label: value === 'any' ? texts.anyPermission : permissions[value].name,
}))

/** The choices by which the store is filtered. */
export function AppFilterSelects({ filters }: { readonly filters: AppFilters }) {
  const { show, hardware: needed, permission } = filters
  return (
    <>
      <Select label={texts.show} options={SHOW_OPTIONS} value={show} onChange={filters.setShow} />
      <Select label={texts.needs} options={HARDWARE_OPTIONS} value={needed} onChange={filters.setHardware} />
      <Select
        label={texts.uses}
        options={PERMISSION_OPTIONS}
        value={permission}
        onChange={filters.setPermission}
      />
    </>
  )
}
