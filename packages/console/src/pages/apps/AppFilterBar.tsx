import { useId, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { SlidersHorizontal } from '../../components/icons.ts'
import { Select } from '../../components/Select.tsx'
import { SearchField } from '../../components/TextField.tsx'
import { formatNumber } from '../../format.ts'
import { hardware, permissions } from '../../permissions.ts'
import styles from './AppsPage.module.css'
import { type AppFilters, HARDWARE, PERMISSION, SHOW } from './app-filters.ts'

/** The search field and the filters of the store. On phones the filters are behind a button, which counts them. */
export function AppFilterBar({ filters }: { readonly filters: AppFilters }) {
  const [isOpen, setOpen] = useState(false)
  const selects = useId()
  const { show, hardware: needed, permission } = filters
  const active = [show !== 'all', needed !== 'any', permission !== 'any'].filter(Boolean).length
  return (
    <div className={styles.controls}>
      <SearchField label="Search apps" value={filters.q} onChange={filters.setQ} />
      <div className={styles.toggle}>
        <Button aria-expanded={isOpen} aria-controls={selects} onPress={() => setOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden />
          {active === 0 ? 'Filters' : `Filters (${formatNumber(active)})`}
        </Button>
      </div>
      <div id={selects} className={`${styles.selects} ${isOpen ? styles.open : ''}`}>
        <AppFilterSelects filters={filters} />
      </div>
    </div>
  )
}

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
function AppFilterSelects({ filters }: { readonly filters: AppFilters }) {
  const { show, hardware: needed, permission } = filters
  return (
    <>
      <Select label="Show" options={SHOW_OPTIONS} value={show} onChange={filters.setShow} />
      <Select label="Needs" options={HARDWARE_OPTIONS} value={needed} onChange={filters.setHardware} />
      <Select label="Uses" options={PERMISSION_OPTIONS} value={permission} onChange={filters.setPermission} />
    </>
  )
}
