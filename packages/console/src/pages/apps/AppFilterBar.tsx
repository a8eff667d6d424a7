import { useId, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { SlidersHorizontal } from '../../components/icons.ts'
import { SearchField } from '../../components/SearchField.tsx'
import { formatNumber } from '../../format.ts'
import { AppFilterSelects } from './AppFilterSelects.tsx'
import styles from './AppsPage.module.css'
import type { AppFilters } from './app-filters.ts'

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
