import { useQuery } from '@tanstack/react-query'
import { type AdminSetting, settingsQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { SearchField } from '../../components/TextField.tsx'
import { plural } from '../../format.ts'
import { containsWords } from '../../search-words.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import styles from './SettingsPage.module.css'
import { SystemApps } from './SystemApps.tsx'

const SOURCES = { environment: 'Environment', file: 'File .env', default: 'Default' } as const

const SHOWS = [
  { value: 'all', label: 'All settings' },
  { value: 'set', label: 'Only those that are set' },
] as const

/** Every setting by its environment name, and the system apps that settings name. */
export function SettingsPage() {
  const settings = useQuery(settingsQuery)
  return (
    <>
      <p className="muted">
        Read from the environment and the file .env when the server starts; a change takes effect with the
        next start. Secrets are only shown as set.
      </p>
      <QueryState query={settings} skeleton="rows">
        {(found) => <Settings settings={found} />}
      </QueryState>
      <SystemApps />
    </>
  )
}

function Settings({ settings }: { readonly settings: readonly AdminSetting[] }) {
  const [search, setSearch] = useUrlText('q')
  const [show, setShow] = useUrlChoice('show', ['all', 'set'])
  const shown = settings.filter(
    (setting) => (show === 'all' || setting.source !== 'default') && matches(setting, search),
  )
  const groups = Map.groupBy(shown, ({ group }) => group)
  return (
    <>
      <div className={styles.filters}>
        <SearchField label="Search settings" value={search} onChange={setSearch} />
        <Select label="Show" options={SHOWS} value={show} onChange={setShow} />
        <span role="status" className="muted">
          {plural(shown.length, { one: '1 setting', other: `${shown.length} settings` })}
        </span>
      </div>
      {shown.length === 0 && (
        <EmptyState title="No setting matches">
          <p>Search for a part of its name, value or description.</p>
        </EmptyState>
      )}
      {[...groups].map(([group, entries]) => (
        <Card key={group} title={group}>
          <ul className={styles.settings} aria-label={group}>
            {entries.map((setting) => (
              <SettingItem key={setting.name} setting={setting} />
            ))}
          </ul>
        </Card>
      ))}
    </>
  )
}

function SettingItem({
  setting: { name, value, source, fallback, description },
}: {
  readonly setting: AdminSetting
}) {
  return (
    <li className={styles.setting} id={name}>
      <div className={styles.name}>
        <code>{name}</code>
        <Badge tone={source === 'default' ? 'neutral' : 'success'}>
          <span className="visually-hidden">Source</span> {SOURCES[source]}
        </Badge>
      </div>
      <div className={styles.value}>
        {value === null ? (
          <span className="muted">Not set</span>
        ) : value === SECRET ? (
          'Set'
        ) : (
          <code>{value}</code>
        )}
      </div>
      <div className={`muted ${styles.description}`}>
        <MarkdownText text={description} />{' '}
        <span className={styles.fallback}>
          Default: <MarkdownText text={fallback} />
        </span>
      </div>
    </li>
  )
}

/** The value of a secret that is set. */
const SECRET = '[set]'

/** Whether each word of a search is in the name, value or description. */
function matches({ name, value, description, group }: AdminSetting, search: string): boolean {
  return containsWords([name, value ?? '', description, group].join(' '), search)
}

/** Shows the code spans of a line of Markdown as code, and its links as their text. */
function MarkdownText({ text }: { readonly text: string }) {
  const parts = text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').split('`')
  return (
    <>
      {parts.map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
        index % 2 === 0 ? part : <code key={index}>{part}</code>,
      )}
    </>
  )
}
