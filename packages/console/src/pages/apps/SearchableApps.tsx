import { type ReactNode, useDeferredValue, useState } from 'react'
import type { App } from '../../api/apps.ts'
import { Button } from '../../components/Button.tsx'
import { SearchField } from '../../components/TextField.tsx'
import { formatNumber } from '../../format.ts'
import { containsWords } from '../../search-words.ts'
import { textOf } from './app-filters.ts'
import styles from './SearchableApps.module.css'

/** Apps that are shown without being asked for; with more there is a search. */
const FIRST = 8

export interface SearchableAppsProps {
  readonly label: string
  readonly apps: readonly App[]
  readonly children: (app: App) => ReactNode
}

/** A list of apps inside a page. A long one starts with its first apps, a search, and a button that shows all. */
export function SearchableApps({ label, apps, children }: SearchableAppsProps) {
  const [q, setQ] = useState('')
  const [isWhole, setIsWhole] = useState(false)
  const words = useDeferredValue(q)
  const found = apps.filter((app) => containsWords(textOf(app), words))
  const shown = isWhole ? found : found.slice(0, FIRST)
  return (
    <div className={styles.apps}>
      {apps.length > FIRST && <SearchField label="Search apps" value={q} onChange={setQ} />}
      {found.length === 0 && apps.length > 0 ? (
        <p role="status">No app matches.</p>
      ) : (
        <ul aria-label={label} className={styles.list}>
          {shown.map((app) => (
            <li key={app.packageName}>{children(app)}</li>
          ))}
        </ul>
      )}
      {shown.length < found.length && (
        <div>
          <Button onPress={() => setIsWhole(true)}>Show all {formatNumber(found.length)} apps</Button>
        </div>
      )}
    </div>
  )
}
