import { Select } from '../../components/Select.tsx'
import { hardware, permissions } from '../../permissions.ts'
import { type AppFilters, HARDWARE, PERMISSION, SHOW } from './app-filters.ts'

const SHOWN = {
  all: 'All apps',
  installed: 'Installed',
  running: 'Running',
  compatible: 'Works with my glasses',
} as const

const SHOW_OPTIONS = SHOW.map((value) => ({ value, label: SHOWN[value] }))
const HARDWARE_OPTIONS = HARDWARE.map((value) => ({
  value,
  label: value === 'any' ? 'Any hardware' : hardware[value],
}))
const PERMISSION_OPTIONS = PERMISSION.map((value) => ({
  value,
  label: value === 'any' ? 'Any permission' : permissions[value].name,
}))

/** The choices by which the store is filtered. */
export function AppFilterSelects({ filters }: { readonly filters: AppFilters }) {
  const { show, hardware: needed, permission } = filters
  return (
    <>
      <Select label="Show" options={SHOW_OPTIONS} value={show} onChange={filters.setShow} />
      <Select label="Needs" options={HARDWARE_OPTIONS} value={needed} onChange={filters.setHardware} />
      <Select label="Uses" options={PERMISSION_OPTIONS} value={permission} onChange={filters.setPermission} />
    </>
  )
}
