import { useRouteContext, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { SearchField } from 'react-aria-components/SearchField'
import { BASE_PATH } from '../base-path.ts'
import { Search } from '../components/icons.ts'
import styles from './SearchDialog.module.css'
import { PAGES, type SearchEntry, type SearchGroup, useSearch } from './use-search.ts'

const MAX_RECENT = 5

/** What was chosen since the page was loaded, newest first. */
let recent: readonly SearchEntry[] = []

/** Searches pages, apps, users, settings and help, with the keyboard or a pointer. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const { history } = useRouter()
  const [search, setSearch] = useState('')

  function open(entry: SearchEntry) {
    recent = [entry, ...recent.filter(({ href }) => href !== entry.href)].slice(0, MAX_RECENT)
    onClose()
    history.push(BASE_PATH + entry.href)
  }

  return (
    <ModalOverlay className={styles.overlay ?? ''} isOpen isDismissable onOpenChange={onClose}>
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''} aria-label="Search everywhere">
          <Autocomplete inputValue={search} onInputChange={setSearch}>
            <SearchField
              aria-label="Search for pages, apps and help"
              autoFocus
              className={styles.field ?? ''}
            >
              <Search aria-hidden />
              <Input className={styles.input ?? ''} placeholder="Pages, apps, settings, help…" />
            </SearchField>
            <Results search={search} onOpen={open} />
          </Autocomplete>
          <p className={styles.hint}>Enter opens, Escape closes</p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface ResultsProps {
  readonly search: string
  readonly onOpen: (entry: SearchEntry) => void
}

function Results({ search, onOpen }: ResultsProps) {
  const { user } = useRouteContext({ from: '/signed-in' })
  const found = useSearch(search, user)
  const groups = search.trim() === '' ? suggestions() : found.groups
  const byId = new Map(groups.flatMap((group) => group.entries.map((entry) => [idOf(group, entry), entry])))
  return (
    <Menu
      aria-label="Results"
      className={styles.results ?? ''}
      onAction={(id) => {
        const entry = byId.get(String(id))
        if (entry !== undefined) onOpen(entry)
      }}
      renderEmptyState={() => (
        <p className={styles.empty}>{found.isLoading ? 'Still searching…' : `Nothing matches “${search}”`}</p>
      )}
    >
      {groups.map((group) => (
        <MenuSection key={group.title} id={group.title}>
          <Header className={styles.heading ?? ''}>{group.title}</Header>
          {group.entries.map((entry) => (
            <MenuItem
              key={idOf(group, entry)}
              id={idOf(group, entry)}
              textValue={entry.title}
              className={styles.item ?? ''}
            >
              <span>{entry.title}</span>
              {entry.detail !== undefined && <span className={styles.detail}>{entry.detail}</span>}
            </MenuItem>
          ))}
        </MenuSection>
      ))}
    </Menu>
  )
}

const idOf = ({ title }: SearchGroup, entry: SearchEntry) => `${title}:${entry.href}:${entry.title}`

/** What is shown before anything is typed. */
function suggestions(): SearchGroup[] {
  const groups = [
    { title: 'Recent', entries: recent },
    { title: 'Pages', entries: PAGES },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}
