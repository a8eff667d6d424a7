import { useQuery } from '@tanstack/react-query'
import { type AdminSetting, settingsQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import { MarkdownText } from './MarkdownText.tsx'
import styles from './SettingsPage.module.css'
import { SystemApps } from './SystemApps.tsx'
import { settingsTexts as texts } from './settings.texts.ts'

const SHOWS = [
  { value: 'all', label: texts.shows.all },
  { value: 'set', label: texts.shows.set },
] as const

/** Every setting by its environment name, and the system apps that settings name. */
export function SettingsPage() {
  const settings = useQuery(settingsQuery)
  return (
    <>
      <p className="muted">{texts.introduction}</p>
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
        <SearchField label={texts.search} value={search} onChange={setSearch} />
        <Select label={texts.show} options={SHOWS} value={show} onChange={setShow} />
        <span role="status" className="muted">
          {texts.count(shown.length)}
        </span>
      </div>
      {shown.length === 0 && (
        <EmptyState title={texts.noMatch}>
          <p>{texts.noMatchAdvice}</p>
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
          <span className="visually-hidden">{texts.sourceLabel}</span> {texts.source[source]}
        </Badge>
      </div>
      <div className={styles.value}>
        {value === null ? (
          <span className="muted">{texts.notSet}</span>
        ) : value === SECRET ? (
          texts.isSet
        ) : (
          <code>{value}</code>
        )}
      </div>
      <div className={`muted ${styles.description}`}>
        <MarkdownText text={description} />{' '}
        <span className={styles.fallback}>
          {texts.defaultLabel}: <MarkdownText text={fallback} />
        </span>
      </div>
    </li>
  )
}

/** The value of a secret that is set. */
const SECRET = '[set]'

/** Whether each word of a search is in the name, value or description. */
function matches({ name, value, description, group }: AdminSetting, search: string): boolean {
  const text = [name, value ?? '', description, group].join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
