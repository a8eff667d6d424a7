import type { ReactNode } from 'react'
import { Group } from 'react-aria-components/Group'
import { Button } from '../../../components/Button.tsx'
import { ArrowDown, ArrowUp, Plus, Trash2 } from '../../../components/icons.ts'
import { type Entry, entryOf } from './app-draft.ts'
import styles from './ListEditor.module.css'
import { useLabel, useProblem } from './problems.tsx'

export interface ListEditorProps<Value> {
  readonly title: string
  readonly hint: string
  readonly addLabel: string
  /** Path in the manifest; problems of the list itself are shown below its title. */
  readonly path: string
  readonly level?: 2 | 3
  readonly entries: readonly Entry<Value>[]
  readonly onChange: (entries: readonly Entry<Value>[]) => void
  /** Makes a new entry. */
  readonly create: () => Value
  /** Name of an entry for its buttons, such as "Setting 2". */
  readonly nameOf: (value: Value, position: number) => string
  readonly children: (value: Value, path: string, set: (value: Value) => void) => ReactNode
}

/** A list of entries that are added, changed, moved and removed. */
export function ListEditor<Value>(props: ListEditorProps<Value>) {
  const { title, hint, addLabel, path, level = 2, entries, onChange, create, nameOf, children } = props
  const { error, onEdit } = useProblem(path, title)
  const Title = level === 2 ? 'h2' : 'h3'

  function change(changed: readonly Entry<Value>[]) {
    onEdit()
    onChange(changed)
  }

  return (
    <section className={styles.list}>
      <Title>{title}</Title>
      <p className="muted">{hint}</p>
      {error !== undefined && (
        <p className={styles.error} data-problem tabIndex={-1}>
          {error}
        </p>
      )}
      {entries.map(({ id, value }, index) => {
        const name = nameOf(value, index + 1)
        return (
          <Group key={id} className={styles.entry ?? ''} aria-label={name}>
            <PathLabel path={`${path}[${index}]`} label={name} />
            <div className={styles.fields}>
              {children(value, `${path}[${index}]`, (changed) =>
                change(entries.map((entry) => (entry.id === id ? { id, value: changed } : entry))),
              )}
            </div>
            <div className={styles.buttons}>
              <Button
                variant="quiet"
                aria-label={`Move ${name} up`}
                isDisabled={index === 0}
                onPress={() => change(move(entries, index, index - 1))}
              >
                <ArrowUp aria-hidden />
              </Button>
              <Button
                variant="quiet"
                aria-label={`Move ${name} down`}
                isDisabled={index === entries.length - 1}
                onPress={() => change(move(entries, index, index + 1))}
              >
                <ArrowDown aria-hidden />
              </Button>
              <Button
                variant="quiet"
                aria-label={`Remove ${name}`}
                onPress={() => change(entries.filter((entry) => entry.id !== id))}
              >
                <Trash2 aria-hidden />
              </Button>
            </div>
          </Group>
        )
      })}
      <div>
        <Button onPress={() => change([...entries, entryOf(create())])}>
          <Plus aria-hidden />
          {addLabel}
        </Button>
      </div>
    </section>
  )
}

/** Tells the form what it calls an entry. */
function PathLabel({ path, label }: { readonly path: string; readonly label: string }) {
  useLabel(path, label)
  return null
}

function move<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...items.slice(from, from + 1))
}
